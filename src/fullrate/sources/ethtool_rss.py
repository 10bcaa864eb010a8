"""`ethtool -x IFNAME`: which receive ring each value of the flow hash goes to.

    RX flow hash indirection table for eth3 with 4 RX ring(s):
        0:      0     0     0     0     0     0     0     0
        8:      1     1     1     1     1     1     1     1
    RSS hash key:
    Operation not supported
    RSS hash function:
        toeplitz: on

Form: ethtool's netlink/rss.c and rxclass; a blank line may come first. In place of the table a driver without one has
`Operation not supported`. People leave the title out; the link is then not named, and its rings are those in the table.
"""

import re

from fullrate.records.errors import FormatError
from fullrate.records.evidence import Request, query
from fullrate.records.facts.queues import RssTable
from fullrate.records.leaf import Source, for_each_device, runs
from fullrate.records.parsing import whole, wholes
from fullrate.sources._text import lines_of, starts_with, word_after

_TITLE = "RX flow hash indirection table for "
_HEAD = re.compile(re.escape(_TITLE) + r"(\S+) with (\d+) RX ring\(s\):")
_UNTITLED = re.compile(r"\s*0:(?:\s+\d+){8}\n\s*8:(?:\s+\d+){8}")  # no driver's table is smaller
_ROW = re.compile(r"\s*(\d+):((?:\s+\d+)+)")
_WHOLE = 16


def parse(request: Request, payload: bytes) -> tuple[RssTable, ...]:
    """The link's indirection table. Raises FormatError, also when a row of it is missing."""
    lines = lines_of(payload)
    head = _HEAD.fullmatch(lines[0]) if lines else None
    table = _table(lines[0 if head is None else 1 :])
    if head is None and (len(table) < _WHOLE or not any(table)):
        raise FormatError("no indirection table in the answer of ethtool -x, or none that tells the number of rings")
    if not table and lines[1:2] != ("Operation not supported",):
        raise FormatError("the indirection table is cut off")
    if head is None:
        return (RssTable(subject=word_after(request, "-x") or "", rings=max(table) + 1, table=table),)
    return (RssTable(subject=head[1], rings=whole(head[2]), table=table),)


def _table(lines: tuple[str, ...]) -> tuple[int, ...]:
    """The entries of the rows that come first. Raises FormatError."""
    table: list[int] = []
    for line in lines:
        row = _ROW.fullmatch(line)
        if row is None:
            break
        if whole(row[1]) != len(table):
            raise FormatError(f"row {row[1]} of the indirection table follows {len(table)} entries")
        table += wholes(row[2].split())
    return tuple(table)


def _recognizes(text: str) -> bool:
    return starts_with(_TITLE)(text) or _UNTITLED.fullmatch("\n".join(lines_of(text)[:2])) is not None


SOURCE = Source(
    id="ethtool_rss",
    facts=(RssTable,),
    requests=for_each_device(lambda link: query("ethtool", "-x", link)),
    answers=runs("ethtool", "-x"),
    recognizes=_recognizes,
    parse=parse,
)
