"""`iw dev IFNAME station dump`: each partner of a radio link, with what it got and what had to be sent again.

    Station 02:00:00:00:47:20 (on wlan0)
            inactive time:  60 ms
            rx bytes:       42755678
            tx packets:     37438
            tx retries:     4589
            signal:         -53 [-57, -55] dBm
            tx bitrate:     72.2 MBit/s MCS 7 short GI

Printed by iw's station.c (print_sta_handler). Of several stations the one counts that had most of the traffic. The
retries are counted by the driver, and some never count them.
"""

import re
from collections.abc import Mapping

from fullrate.records.errors import FormatError
from fullrate.records.evidence import QueryCommand, Request, query
from fullrate.records.facts.wifi import WifiLink
from fullrate.records.leaf import Source, no_requests, runs
from fullrate.records.parsing import decimal, whole
from fullrate.sources._text import lines_of, word_after
from fullrate.sources._wifi import BitRate, bit_rate, fastest, tables

_STATION = re.compile(r"\s*Station \S+ \(on (\S+)\)\s*")
_OURS = re.compile(r"^[ \t]*(Station [0-9a-fA-F:x]{11,17} \(on |inactive time:\s*\d+ ms)", re.MULTILINE)
_SIGNAL = re.compile(r"(-\d+)(?: \[[^\[\]]*\])? ?dBm")


def _count(table: Mapping[str, str], name: str) -> int | None:
    value = table.get(name, "")
    return whole(value) if value.isdecimal() else None


def _traffic(table: Mapping[str, str]) -> int:
    return (_count(table, "rx bytes") or 0) + (_count(table, "tx bytes") or 0)


def parse(request: Request, payload: bytes) -> tuple[WifiLink, ...]:
    """The station with most of the traffic. Raises FormatError."""
    stations = tables(lines_of(payload), _STATION)
    if not stations or _OURS.search(payload.decode(errors="replace")) is None:
        raise FormatError("no station of iw station dump in it")
    table = max(stations, key=_traffic)
    sent, received = bit_rate(table.get("tx bitrate", "")), bit_rate(table.get("rx bitrate", ""))
    best, signal = fastest((sent, received)) or BitRate(rate=0.0), _SIGNAL.search(table.get("signal", ""))
    return (
        WifiLink(
            subject=table.get("on") or word_after(request, "dev"),
            width=best.width,
            generation=best.generation,
            streams=best.streams,
            signal=decimal(signal[1]) if signal else None,
            tx_rate=sent.rate if sent else None,
            rx_rate=received.rate if received else None,
            sent=_count(table, "tx packets"),
            retries=_count(table, "tx retries"),
        ),
    )


_iw = runs("iw")

SOURCE = Source(
    id="iw_station",
    facts=(WifiLink,),
    requests=no_requests,
    pasted=lambda link: query("iw", "dev", link, "station", "dump"),
    answers=lambda request: _iw(request) and isinstance(request, QueryCommand) and "station" in request.argv,
    recognizes=lambda text: _OURS.search(text) is not None,
    parse=parse,
)
