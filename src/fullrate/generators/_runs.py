"""A pasted text of iperf or iperf3 cut into its runs, and a run in both directions at once into two.

A new run begins with its command, with a connection, or with a table after the totals of the last one.
"""

import itertools
import re
from collections.abc import Iterator

from fullrate.generators._command import command_of
from fullrate.generators._printed import directions
from fullrate.generators._row import Row, parse_row
from fullrate.generators._tables import rows_of
from fullrate.generators._words import COMPLAINT, CONNECTED, words_of

_OPENS = re.compile(r"Connecting to host|Accepted connection from|Client connecting to|" + CONNECTED.pattern)
_HEADER = re.compile(r"\[ ?ID\]")
_ERROR = re.compile(COMPLAINT + r")|(?:connect|read|write) failed: ")
_LISTENS = re.compile(r"Server listening on (?:TCP|UDP) port")
_SAID_ONCE = re.compile(_LISTENS.pattern + r"|Client connecting to")
_SECOND = re.compile(r"connected with|Client connecting to|Server listening on (?:TCP|UDP) port|Server Report:")
_THIRD = re.compile(
    COMPLAINT
    + r")|Connecting to host \S+, port \d|^\W{0,20}iperf Done\.|Server listening on \d|connected to \S+ port \d"
    r"|CPU Utilization: local/"
    r'|"version":\s{0,4}"iperf 3|[TR]X-[CS]\]|\] Interval\s+Transfer\s+Bitrate',
    re.MULTILINE,
)
_OF_THIRD = 2  # decimals of its times; iperf 2 has one or four


def generation(text: str) -> int | None:
    """Whether a text is of iperf (2) or iperf3 (3), by its words, then by the times of its rows; None: of neither."""
    third, second = _THIRD.search(text), _SECOND.search(text)
    if third or second:
        return 3 if third and (second is None or third.start() < second.start()) else 2
    first = next((row for line in text.splitlines() if (row := parse_row(line)) is not None), None)
    return None if first is None else 3 if first.decimals == _OF_THIRD else 2


def runs_of(text: str) -> tuple[str, ...]:
    """The text of each run, in order; of both directions at once what the client sends comes first."""
    return tuple(part for run in _cut(text) for part in _ways(run))


def _cut(text: str) -> Iterator[str]:
    heads = _heads(text)
    lines: list[str] = []
    spoken = totals = False  # whether the run holds a row or an error, and whether it holds its totals
    for line in text.splitlines(keepends=True):
        row = parse_row(line)
        if _begins(line, row, spoken=spoken, totals=totals):
            yield "".join(lines)
            lines, spoken, totals = list(heads), False, False
        lines.append(line)
        spoken = spoken or row is not None or _ERROR.search(line) is not None
        totals = totals or (row is not None and row.side == "receiver")
    yield "".join(lines)


def _heads(text: str) -> list[str]:
    """What iperf 2 says but once before all its runs: where it listens, and whom it calls."""
    heads = itertools.takewhile(lambda line: parse_row(line) is None, text.splitlines(keepends=True))
    return [line for line in heads if _SAID_ONCE.search(line)] if _LISTENS.search(text) else []


def _begins(line: str, row: Row | None, *, spoken: bool, totals: bool) -> bool:
    """Whether a line belongs to the next run already."""
    if row is not None:
        return totals and not row.side and row.start == 0
    return (totals and _HEADER.search(line) is not None) or (spoken and _opens(line))


def _opens(line: str) -> bool:
    return _OPENS.search(line) is not None or ("iperf" in line and command_of(line) is not None)


def _ways(run: str) -> Iterator[str]:
    """The run as it is, or once without the rows of each direction."""
    words = words_of(run)
    forward, backward = map(set, directions(rows_of(run), words))
    if not (forward and backward):
        yield run
        return
    for other in (backward, forward):
        yield "".join(line for line in run.splitlines(keepends=True) if parse_row(line) not in other)
