"""`iw dev IFNAME link` and `iwconfig`: the radio link of a Wi-Fi interface.

    Connected to 02:00:00:00:14:91 (on wlan0)
            freq: 5180
            signal: -61 dBm
            rx bitrate: 390.0 MBit/s VHT-MCS 9 80MHz short GI VHT-NSS 1
            tx bitrate: 144.4 MBit/s MCS 15 short GI

    wlan0     IEEE 802.11bgn  ESSID:"somename"
              Mode:Master  Frequency:5.18 GHz  Access Point: 02:00:00:00:14:91
              Bit Rate:144.4 Mb/s   Sensitivity:0/0
              Power Management:off

Printed by iw's link.c and station.c (a bitrate without a width is of a 20 MHz channel), and by wireless-tools'
iwconfig.c, whose signal level is dBm only when it says so.
"""

import re

from fullrate.records.errors import FormatError
from fullrate.records.evidence import Request, query
from fullrate.records.facts.wifi import WifiLink
from fullrate.records.leaf import Source, no_requests, runs
from fullrate.records.parsing import decimal, whole
from fullrate.records.units import MEGABIT, BitsPerSecond
from fullrate.sources._text import lines_of, word_after

_CONNECTED = re.compile(r"Connected to [0-9a-f:]{17} \(on (\S+)\)")
_IWCONFIG = re.compile(r"^(\S+)\s+IEEE 802\.11", re.MULTILINE)
_BITRATE = re.compile(r"\b(tx|rx) bitrate:\s*(\d+(?:\.\d+)?) MBit/s([^\n]*)")
_WIDTH = re.compile(r"\b(\d+)MHz")
_BIT_RATE = re.compile(r"Bit Rate[:=](\d+(?:\.\d+)?) ?([MG])b/s")
_SIGNAL = re.compile(r"(?:signal:|Signal level[=:])\s*(-\d+)(?: \[[^\]]*\])? ?dBm")
_FREQUENCY = re.compile(r"freq:\s*(\d+)(?:\.\d+)?\b|Frequency[:=](\d+\.\d+) GHz")
_SLEEP = re.compile(r"Power Management:\s*(on|off)|Power save: (on|off)")
_OURS = re.compile(
    r"^[ \t]*(Connected to [0-9a-f:]{17} \(on |\S+\s+IEEE 802\.11)|^[ \t]*(tx|rx) bitrate:\s*\d", re.MULTILINE
)
_NARROW = 20  # MHz: what iw does not print
_GIGA = 1000


def _rate(text: str, way: str) -> BitsPerSecond | None:
    found = next((match for match in _BITRATE.finditer(text) if match[1] == way), None)
    return decimal(found[2]) * MEGABIT if found else None


def _width(text: str) -> int | None:
    """MHz of the channel, by the rate of the way we send; iwconfig does not tell it."""
    found = next(iter(_BITRATE.finditer(text)), None)
    width = _WIDTH.search(found[3]) if found else None
    return whole(width[1]) if width else _NARROW if found else None


def _either(text: str) -> BitsPerSecond | None:
    found = _BIT_RATE.search(text)
    return decimal(found[1]) * MEGABIT * (_GIGA if found[2] == "G" else 1) if found else None


def _frequency(text: str) -> int | None:
    found = _FREQUENCY.search(text)
    return (whole(found[1]) if found[1] else round(decimal(found[2]) * _GIGA)) if found else None


def parse(request: Request, payload: bytes) -> tuple[WifiLink, ...]:
    """The radio link. Raises FormatError."""
    text = "\n".join(lines_of(payload))
    if _OURS.search(text) is None:
        raise FormatError("no radio link: not of iw dev link or iwconfig, or not connected")
    named, signal, sleep = _CONNECTED.search(text) or _IWCONFIG.search(text), _SIGNAL.search(text), _SLEEP.search(text)
    return (
        WifiLink(
            subject=named[1] if named else word_after(request, "dev"),
            frequency=_frequency(text),
            width=_width(text),
            signal=decimal(signal[1]) if signal else None,
            tx_rate=_rate(text, "tx") or _either(text),
            rx_rate=_rate(text, "rx"),
            power_save=(sleep[1] or sleep[2]) == "on" if sleep else None,
        ),
    )


_iw, _iwconfig = runs("iw"), runs("iwconfig")

SOURCE = Source(
    id="iw_link",
    facts=(WifiLink,),
    requests=no_requests,
    pasted=lambda link: query("iw", "dev", link, "link"),
    answers=lambda request: _iw(request) or _iwconfig(request),
    recognizes=lambda text: _OURS.search(text) is not None,
    parse=parse,
)
