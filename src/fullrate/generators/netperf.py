"""netperf: streams of TCP and UDP in its tables, and what its omni tests print.

    MIGRATED TCP STREAM TEST from 0.0.0.0 (0.0.0.0) port 0 AF_INET to 192.0.2.2 () port 0 AF_INET : demo
    bytes  bytes   bytes    secs.    10^6bits/sec
     87380  16384  16384    10.00     941.38
    THROUGHPUT=941.38
    THROUGHPUT_UNITS=10^6bits/s

Form: netperf's nettest_bsd.c (send_tcp_stream, send_udp_stream) and nettest_omni.c, netlib.c's format_units. A MAERTS
test is received by the end that asked. UDP has two rows: what was sent and what arrived. Requests with responses
(TCP_RR) are counted in transactions, which tell of no rate.
"""

import re
from collections.abc import Iterator
from dataclasses import replace

from fullrate.generators._shown import Shown, generator, scaled
from fullrate.records.ends import Direction
from fullrate.records.parsing import decimal, whole
from fullrate.records.units import BITS_PER_BYTE, BitsPerSecond

_TITLE = re.compile(r"^.*\b(TCP|UDP|OMNI|SCTP)\b.{0,40}\bTEST (?:from|to)\b.*$", re.MULTILINE)
_KEYS = re.compile(r"^THROUGHPUT=([\d.]+)\s*$", re.MULTILINE)
_ARRIVES = re.compile(r"MAERTS|OMNI Rec|^DIRECTION=(?:Recv|Receive)", re.MULTILINE)
_UNIT = re.compile(r"(?:10\^(?P<power>[369])bits|(?P<prefix>[KMG])Bytes)/s(?:ec)?")
_STREAM = re.compile(
    r"^[ \t]*\d+[ \t]+\d+[ \t]+\d+[ \t]+(?P<s>\d+\.\d+)[ \t]+(?P<rate>\d+\.\d+)\b(?!\.\d)", re.MULTILINE
)
_SENT = re.compile(
    r"^[ \t]*\d+[ \t]+(?P<size>\d+)[ \t]+(?P<s>\d+\.\d+)[ \t]+(?P<n>\d+)[ \t]+\d+[ \t]+(?P<rate>[\d.]++)[^\n]*+\n"
    r"[ \t]*\d+[ \t]+[\d.]+[ \t]+(?P<came>\d+)[ \t]+(?P<arrived>[\d.]+)",
    re.MULTILINE,
)
_OMNI = re.compile(
    r"^[ \t\d]{0,200}?(?P<s>\d{1,9}\.\d{1,9})[ \t]+(?P<rate>\d{1,12}\.\d{1,9})[ \t]+10\^\dbits/s\b", re.MULTILINE
)
_SECONDS = re.compile(r"^ELAPSED_TIME=([\d.]+)\s*$", re.MULTILINE)
_USUAL = "10"  # seconds: -l, of netperf


def _unit(text: str) -> BitsPerSecond | None:
    found = _UNIT.search(text)
    if found is None:
        return None
    if found["power"]:
        return float(10 ** whole(found["power"]))
    return scaled(BITS_PER_BYTE, found["prefix"], binary=True)


def _sections(text: str) -> Iterator[str]:
    """The text cut at the titles of its tests."""
    starts = [found.start() for found in _TITLE.finditer(text)] or [0]
    for start, end in zip(starts, [*starts[1:], len(text)], strict=True):
        yield text[start:end]


def _one(text: str) -> Shown | None:
    unit = _unit(text)
    keys, seconds = _KEYS.search(text), _SECONDS.search(text)
    if unit is None or not (keys or _TITLE.search(text)):
        return None
    row = _STREAM.search(text) or _OMNI.search(text)
    rate = row["rate"] if row else keys[1] if keys else None
    if rate is None:
        return _datagrams(text, unit)
    lasted = row["s"] if row else seconds[1] if seconds else _USUAL
    shown = Shown(text=text, rate=decimal(rate) * unit, direction=Direction.NEAR_TO_FAR, seconds=decimal(lasted))
    return replace(
        shown,
        direction=Direction.FAR_TO_NEAR if _ARRIVES.search(text) else shown.direction,
        protocol="udp" if re.search(r"^PROTOCOL=UDP|\bUDP\b", text, re.MULTILINE) else "tcp",
    )


def _datagrams(text: str, unit: BitsPerSecond) -> Shown | None:
    rows = _SENT.search(text)
    if rows is None or not whole(rows["n"]):
        return None
    return Shown(
        text=text,
        rate=decimal(rows["arrived"]) * unit,
        sent=decimal(rows["rate"]) * unit,
        direction=Direction.NEAR_TO_FAR,
        seconds=decimal(rows["s"]),
        protocol="udp",
        lost_ratio=max(0.0, 1 - whole(rows["came"]) / whole(rows["n"])),
        datagram=whole(rows["size"]),
    )


def _find(text: str) -> Iterator[Shown]:
    for section in _sections(text):
        found = _one(section)
        if found is not None:
            yield found


GENERATOR = generator("netperf", _find, lambda text: (_TITLE.search(text) or _KEYS.search(text)) is not None)
