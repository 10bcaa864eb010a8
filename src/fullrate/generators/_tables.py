"""The rows of a run put together: the totals apart from the intervals, the streams of each interval added up.

The rows of all streams together (SUM) are taken where there are any. A total is the row that names its side (iperf3),
or starts again at zero (iperf 2, UDP of iperf3 before 3.2, and its server).
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from fullrate.generators._iperf3_document import Step, Stream, Sum
from fullrate.generators._row import Row, parse_row
from fullrate.records.units import BITS_PER_BYTE, MICROSECONDS, MILLISECONDS, Seconds

_SHORTEST_TOTAL: Seconds = 2.0  # of a single row: the usual interval is one second


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Rows of one run in one direction."""

    intervals: tuple[Row, ...] = ()
    totals: tuple[Row, ...] = ()

    def total(self, side: str, *, udp: bool) -> Sum | None:
        """All streams over the whole run, by the rows that name this side."""
        return _together([row for row in self.totals if row.side == side], udp=udp)

    def steps(self, *, udp: bool) -> Iterator[Step]:
        """Each interval with all streams; one that lacks some of them is left out."""
        groups: dict[int, list[Row]] = defaultdict(list)
        for row in self.intervals:
            groups[round(10 * row.start)].append(row)
        streams = {row.stream for row in self.intervals if not row.total}
        for group in groups.values():
            own = [row for row in group if not row.total]
            total = (
                _together(group, udp=udp) if len(own) < len(group) or {row.stream for row in own} == streams else None
            )
            if total is not None:
                yield Step(sum=total, streams=tuple(map(_stream, own)))


def rows_of(text: str) -> tuple[Row, ...]:
    """Every row of a text, in order."""
    return tuple(row for line in text.splitlines() if (row := parse_row(line)) is not None)


def table_of(rows: Sequence[Row]) -> Table:
    """The rows with totals and intervals told apart."""
    later = {row.stream for row in rows if row.start > 0}
    seen, ended = set[str](), set[str]()
    intervals: list[Row] = []
    totals: list[Row] = []
    for row in rows:
        again = row.stream in seen or (row.stream not in later and row.seconds > _SHORTEST_TOTAL)
        seen.add(row.stream)
        if not row.side and not (row.start == 0 and again):
            intervals.append(row)
            continue
        reported = not row.side and row.stream in ended  # iperf 2: the server's report follows the client's own total
        totals.append(replace(row, side="receiver") if reported else row)
        ended.add(row.stream)
    return Table(intervals=tuple(intervals), totals=tuple(totals))


def _together(rows: Sequence[Row], *, udp: bool) -> Sum | None:
    """Rows of one moment as one."""
    rows = _widest(rows)
    if not rows:
        return None
    rate, seconds = sum(row.throughput for row in rows), max(row.seconds for row in rows)
    return Sum(
        start=min(row.start for row in rows),
        end=max(row.end for row in rows),
        seconds=seconds,
        bytes=rate * seconds / BITS_PER_BYTE,
        bits_per_second=rate,
        retransmits=None if udp else _add(row.count for row in rows),
        lost_packets=_add(row.lost for row in rows),
        packets=_packets(rows) if udp else None,
        jitter_ms=_jitter_ms(rows),
    )


def _widest(rows: Sequence[Row]) -> Sequence[Row]:
    """The row of all streams, the last where there are two; each stream's own where there is none."""
    return [row for row in rows if row.total][-1:] or rows


def _packets(rows: Iterable[Row]) -> int | None:
    """The datagrams; a sender prints their number alone, where TCP has its retransmits."""
    return _add(row.count if row.packets is None else row.packets for row in rows)


def _jitter_ms(rows: Iterable[Row]) -> float | None:
    known = [row.jitter for row in rows if row.jitter is not None]
    return max(known) * MILLISECONDS if known else None


def _add(counts: Iterable[int | None]) -> int | None:
    known = [count for count in counts if count is not None]
    return sum(known) if known else None


def _stream(row: Row) -> Stream:
    return Stream(snd_cwnd=row.cwnd, rtt=None if row.rtt is None else row.rtt * MICROSECONDS)
