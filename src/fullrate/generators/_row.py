"""One row of a table of iperf or iperf3, of every era and system.

    [  5]   0.00-1.00   sec  1.36 GBytes  11.7 Gbits/sec  8597    379 KBytes       (omitted)       3.2 and later
    [  5]   0.00-10.00  sec   871 MBytes   731 Mbits/sec    0   2.75 MBytes   26ms                 macOS
    [SUM][RX-C]   0.00-2.00   sec  9.75 MBytes  40.9 Mbits/sec    0             sender             --bidir
    [  5]   0.00-5.00   sec   601 MBytes  1.01 Gbits/sec  0.005 ms  39672/474730 (8.4%)  receiver  -u
    [  3]  0.0-10.0 sec  1.09 GBytes   935 Mbits/sec                                               iperf 2.0.5
    [  1] 0.0000-1.0000 sec  5.00 MBytes  41.9 Mbits/sec  40/0          0      895K/597(918) us  8782     iperf 2 -e

Formats: report_*_format in src/iperf_locale.c of iperf3, in src/Locale.c of iperf 2. Sizes have prefixes of 1024, rates
of 1000; with -f K, M or G the rate is in bytes, its prefix of 1024 (unit_snprintf in src/units.c of both).
"""

import re
from dataclasses import dataclass

from fullrate.records.units import BITS_PER_BYTE, MICROSECONDS, MILLISECONDS, BitsPerSecond, Seconds

LONGEST_LINE = 400  # characters: a row has some 120, what is longer is none
_DIGITS = 3  # that a rate is printed with, unless -f asks for a unit too large for it
_BINARY = {"": 1, "K": 1024, "M": 1024**2, "G": 1024**3, "T": 1024**4}
_DECIMAL = {"": 1, "K": 10**3, "M": 10**6, "G": 10**9, "T": 10**12}
_HEAD = re.compile(
    r"\[\s{0,4}(?P<star>\*?)(?P<stream>\d{1,5}|SUM(?:-\d{1,4})?)\](?:\[(?P<role>[TR]X-[CS])\])?\s{0,8}"
    r"(?P<start>\d{1,8}\.\d{1,4})-\s{0,4}(?P<end>\d{1,8}\.\d{1,4})\s{1,8}sec\s{1,9}"
    r"(?P<size>\d{1,9}(?:\.\d{1,3})?)\s{0,3}(?P<prefix>[KMGT]?)Bytes\s{1,9}"
    r"(?P<rate>\d{1,9}(?:\.\d{1,3})?)\s{0,3}(?P<scale>[KMGT]?)(?P<unit>bits|Bytes)/sec\b(?P<rest>.*)"
)
_DATAGRAMS = re.compile(
    r"\s*(?P<jitter>\d{1,9}\.\d{1,3})\s{0,3}ms\s{1,8}(?P<lost>-?\d{1,18})/\s{0,8}(?P<total>\d{1,18})\b"
)
_COUNT = re.compile(
    r"\s*(?P<count>\d{1,18})(?!\S)(?:\s{1,9}(?P<cwnd>\d{1,6}(?:\.\d{1,3})?)\s(?P<prefix>[KMGT]?)Bytes)?"
)
_RTT = re.compile(r"Bytes\s{1,9}(?P<rtt>\d{1,7}(?:\.\d{1,3})?)\s?ms\b")
_ENHANCED = re.compile(
    r"\s*\d{1,18}/\d{1,18}\s{1,12}(?P<count>\d{1,18})\s{1,12}(?P<cwnd>\d{1,12})K/(?P<rtt>\d{1,12})(?:\(\d{1,12}\))?\s?us"
)
_SIDE = re.compile(r"\b(sender|receiver)\b")


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One row: what one stream, or all together (`SUM`), carried between two moments."""

    stream: str
    start: Seconds
    end: Seconds
    size: float  # bytes
    throughput: BitsPerSecond
    count: int | None = None  # the number behind the rate: retransmits of TCP, datagrams of UDP
    cwnd: float | None = None  # bytes
    rtt: Seconds | None = None
    jitter: Seconds | None = None
    lost: int | None = None
    packets: int | None = None
    role: str = ""  # of --bidir: TX-C, RX-C on the client, TX-S, RX-S on the server; *: the reverse stream of iperf 2
    side: str = ""  # sender or receiver, in the summary
    omitted: bool = False
    decimals: int = 2  # of its times: iperf3 has two, iperf 2 has one or four

    @property
    def seconds(self) -> Seconds:
        """How long it lasted."""
        return self.end - self.start

    @property
    def total(self) -> bool:
        """Whether it is of all streams together."""
        return self.stream.startswith("SUM")


def parse_row(line: str) -> Row | None:
    """The row that a line holds, whatever stands before it; None when there is none."""
    found = _HEAD.search(line) if len(line) <= LONGEST_LINE and "/sec" in line else None
    if found is None or float(found["end"]) <= float(found["start"]):
        return None
    datagrams = _DATAGRAMS.match(found["rest"])
    counted = None if datagrams else (_ENHANCED.match(found["rest"]) or _COUNT.match(found["rest"]))
    side = _SIDE.search(found["rest"])
    size = float(found["size"]) * _BINARY[found["prefix"]]
    return Row(
        stream=found["stream"],
        start=float(found["start"]),
        end=float(found["end"]),
        size=size,
        throughput=_rate(found, size),
        count=_whole(counted, "count"),
        cwnd=_cwnd(counted),
        rtt=_rtt(found["rest"], counted),
        jitter=float(datagrams["jitter"]) / MILLISECONDS if datagrams else None,
        lost=_whole(datagrams, "lost"),
        packets=_whole(datagrams, "total"),
        role=found["role"] or found["star"],
        side=side[0] if side else "",
        omitted="(omitted)" in found["rest"],
        decimals=len(found["end"].partition(".")[2]),
    )


def _whole(found: re.Match[str] | None, name: str) -> int | None:
    return None if found is None else int(found[name])


def _rate(found: re.Match[str], size: float) -> BitsPerSecond:
    """The rate as printed; by the bytes where it has fewer digits than they (0.00 Gbits/sec with -f g)."""
    if found["scale"] and _digits(found["rate"]) < _DIGITS <= _digits(found["size"]):
        return size * BITS_PER_BYTE / (float(found["end"]) - float(found["start"]))
    scale = _DECIMAL[found["scale"]] if found["unit"] == "bits" else _BINARY[found["scale"]] * BITS_PER_BYTE
    return float(found["rate"]) * scale


def _digits(number: str) -> int:
    """How many digits of a printed number tell something."""
    return len(number.replace(".", "").lstrip("0"))


def _cwnd(counted: re.Match[str] | None) -> float | None:
    if counted is None or counted["cwnd"] is None:
        return None
    return float(counted["cwnd"]) * _BINARY[counted["prefix"] if "prefix" in counted.groupdict() else "K"]


def _rtt(rest: str, counted: re.Match[str] | None) -> Seconds | None:
    if counted is not None and "rtt" in counted.groupdict():
        return int(counted["rtt"]) / MICROSECONDS
    found = _RTT.search(rest)
    return float(found["rtt"]) / MILLISECONDS if found else None
