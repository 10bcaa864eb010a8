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

Printed by iw's link.c and station.c, and by wireless-tools' iwconfig.c, whose signal level is dBm only when it says
so.
"""

import re

from fullrate.records.errors import FormatError
from fullrate.records.evidence import QueryCommand, Request, query
from fullrate.records.facts.wifi import WifiLink
from fullrate.records.leaf import Scope, Source, runs
from fullrate.records.parsing import decimal, whole
from fullrate.records.units import MEGABIT, BitsPerSecond
from fullrate.sources._text import lines_of, word_after
from fullrate.sources._wifi import BitRate, bit_rate, fastest

_CONNECTED = re.compile(r"^[ \t]*Connected to \S+ \(on (\S+)\)", re.MULTILINE)
_IWCONFIG = re.compile(r"^\s{0,4}(\S+)\s+IEEE 802\.11", re.MULTILINE)
_WAY = {way: re.compile(rf"^[ \t]*{way} bitrate:([^\n]*)", re.MULTILINE) for way in ("tx", "rx")}
_BIT_RATE = re.compile(r"Bit Rate[:=](\d+(?:\.\d+)?) ?([MG])b/s")
_SIGNAL = re.compile(r"(?:signal:|Signal level[=:])\s*(-\d+)(?: \[[^\[\]]*\])? ?dBm")
_FREQUENCY = re.compile(r"freq:\s*(\d+)(?:\.\d+)?\b|Frequency[:=](\d+\.\d+) GHz")
_SLEEP = re.compile(r"Power Management:\s*(on|off)")
_OURS = re.compile(
    r"^[ \t]*(Connected to \S+ \(on |\S+\s+IEEE 802\.11\S*\s)|^[ \t]*(tx|rx) bitrate:\s*\d", re.MULTILINE
)
_OF_STATIONS = re.compile(r"^[ \t]*(Station [0-9a-fA-F:x]{11,17} \(on |inactive time:)", re.MULTILINE)
_GIGA = 1000


def _rate(text: str, way: str) -> BitRate | None:
    found = _WAY[way].search(text)
    return bit_rate(found[1]) if found else None


def _either(text: str) -> BitsPerSecond | None:
    found = _BIT_RATE.search(text)
    return decimal(found[1]) * MEGABIT * (_GIGA if found[2] == "G" else 1) if found else None


def _frequency(text: str) -> int | None:
    found = _FREQUENCY.search(text)
    return (whole(found[1]) if found[1] else round(decimal(found[2]) * _GIGA)) if found else None


def _is_ours(text: str) -> bool:
    return _OURS.search(text) is not None and _OF_STATIONS.search(text) is None


def parse(request: Request, payload: bytes) -> tuple[WifiLink, ...]:
    """The radio link. Raises FormatError."""
    text = "\n".join(lines_of(payload))
    if not _is_ours(text):
        raise FormatError("no radio link: not of iw dev link or iwconfig, or not connected")
    named, signal, sleep = _CONNECTED.search(text) or _IWCONFIG.search(text), _SIGNAL.search(text), _SLEEP.search(text)
    sent, received = _rate(text, "tx"), _rate(text, "rx")
    best = fastest((sent, received)) or BitRate(rate=0.0)
    return (
        WifiLink(
            subject=named[1] if named else word_after(request, "dev"),
            frequency=_frequency(text),
            width=best.width,
            generation=best.generation,
            streams=best.streams,
            signal=decimal(signal[1]) if signal else None,
            tx_rate=sent.rate if sent else _either(text),
            rx_rate=received.rate if received else None,
            power_save=sleep[1] == "on" if sleep else None,
        ),
    )


_iw, _iwconfig = runs("iw"), runs("iwconfig")


def _answers(request: Request) -> bool:
    linked = isinstance(request, QueryCommand) and request.argv[-1:] == ("link",)
    return (_iw(request) and linked) or _iwconfig(request)


def _requests(scope: Scope) -> tuple[Request, ...]:
    return tuple(query("iw", "dev", link, "link") for link in scope.devices if link.startswith("wl"))


SOURCE = Source(
    id="iw_link",
    facts=(WifiLink,),
    requests=_requests,  # of links named as those of a radio are (systemd.net-naming-scheme(7)); others have none
    pasted=lambda link: query("iw", "dev", link, "link"),
    answers=_answers,
    recognizes=_is_ours,
    parse=parse,
)
