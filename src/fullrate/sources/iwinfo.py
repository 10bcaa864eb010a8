"""`iwinfo` of OpenWrt: the radio links of a router, and its stations.

    wlan0     ESSID: "somename"
              Mode: Master  Channel: 36 (5.180 GHz)  HT Mode: VHT80
              Signal: -61 dBm  Noise: -89 dBm
              Bit Rate: 866.7 MBit/s

    02:00:00:09:D5:39  -51 dBm / -95 dBm (SNR 44)  30 ms ago
            RX: 144.4 MBit/s, MCS 15, 20MHz             29290912 Pkts.
            TX: 866.7 MBit/s, VHT-MCS 9, 80MHz, VHT-NSS 2   64531238 Pkts.

Printed by iwinfo_cli.c (print_info, print_assoclist). The second is `iwinfo IFNAME assoclist`, of which the station
with most packets counts.
"""

import re
from itertools import pairwise

from fullrate.records.errors import FormatError
from fullrate.records.evidence import QueryCommand, Request, query
from fullrate.records.facts.wifi import WifiLink
from fullrate.records.leaf import Source, no_requests, runs
from fullrate.records.parsing import decimal, whole
from fullrate.sources._text import lines_of
from fullrate.sources._wifi import BitRate, bit_rate, fastest

_LINK = re.compile(r"(\S+)\s+ESSID: .*")
_STATION = re.compile(
    r"\s*[0-9A-Fa-fxX:]{11,17}\s+(-\d+|unknown)(?: dBm)? / \S+(?: dBm)? \(SNR -?\S+\)\s+\d+ ms ago\s*"
)
_CHANNEL = re.compile(r"Channel: \d+ \((\d+\.\d+) GHz\)")
_MODE = re.compile(r"HT Mode: (?:HT|VHT|HE|EHT)(\d{2,3})")
_SIGNAL = re.compile(r"Signal: (-\d+) dBm")
_RATE = re.compile(r"Bit Rate: ([^\n]*)")
_WAY = re.compile(r"\s*([RT]X): (\d+(?:\.\d+)? MBit/s(?:.*\S)?)\s+(\d+) Pkts\.\s*")
_GIGA = 1000


def _link(name: str, lines: list[str]) -> WifiLink:
    text = "\n".join(lines)
    channel, mode, signal, rate = (form.search(text) for form in (_CHANNEL, _MODE, _SIGNAL, _RATE))
    told = bit_rate(rate[1]) if rate else None
    return WifiLink(
        subject=name,
        frequency=round(decimal(channel[1]) * _GIGA) if channel else None,
        width=whole(mode[1]) if mode else None,
        signal=decimal(signal[1]) if signal else None,
        tx_rate=told.rate if told else None,
    )


def _station(name: str, signal: str, lines: list[str]) -> tuple[int, WifiLink]:
    """How many packets it had, and its link."""
    ways = {found[1]: (bit_rate(found[2]), whole(found[3])) for line in lines if (found := _WAY.fullmatch(line))}
    sent, received = (ways.get(way, (None, 0))[0] for way in ("TX", "RX"))
    best = fastest((sent, received)) or BitRate(rate=0.0)
    return sum(packets for _, packets in ways.values()), WifiLink(
        subject=name,
        signal=decimal(signal) if signal != "unknown" else None,
        width=best.width,
        generation=best.generation,
        streams=best.streams,
        tx_rate=sent.rate if sent else None,
        rx_rate=received.rate if received else None,
    )


def _blocks(lines: tuple[str, ...]) -> list[list[str]]:
    """The lines of each link or station, its head first."""
    blocks: list[list[str]] = []
    for line in lines:
        if _LINK.fullmatch(line) or _STATION.fullmatch(line):
            blocks.append([line])
        elif blocks:
            blocks[-1].append(line)
    return blocks


def parse(request: Request, payload: bytes) -> tuple[WifiLink, ...]:
    """The links, and the busiest station. Raises FormatError."""
    argv = request.argv if isinstance(request, QueryCommand) else ()
    subject = argv[1] if len(argv) > 1 else ""
    links: list[WifiLink] = []
    stations: list[tuple[int, WifiLink]] = []
    for head, *below in _blocks(lines_of(payload)):
        link, station = _LINK.fullmatch(head), _STATION.fullmatch(head)
        if link is not None:
            links.append(_link(link[1], below))
        elif station is not None:
            stations.append(_station(subject, station[1], below))
    if not links and not stations:
        raise FormatError("neither a link nor a station of iwinfo in it")
    return (*links, *(found for _, found in sorted(stations, key=lambda one: one[0])[-1:]))


def _recognizes(text: str) -> bool:
    return any(
        _STATION.fullmatch(line) or (_LINK.fullmatch(line) and below.lstrip().startswith("Access Point: "))
        for line, below in pairwise((*lines_of(text), ""))
    )


SOURCE = Source(
    id="iwinfo",
    facts=(WifiLink,),
    requests=no_requests,
    pasted=lambda link: query("iwinfo", link, "assoclist"),
    answers=runs("iwinfo"),
    recognizes=_recognizes,
    parse=parse,
)
