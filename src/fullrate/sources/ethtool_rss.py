"""`ethtool -x IFNAME`: which receive ring each value of the flow hash goes to.

    RX flow hash indirection table for eth3 with 4 RX ring(s):
        0:      0     0     0     0     0     0     0     0
        8:      1     1     1     1     1     1     1     1
    RSS hash key:
    Operation not supported
    RSS hash function:
        toeplitz: on

Form: ethtool's netlink/rss.c and rxclass; a blank line may come first. In place of the table a driver without one has
`Operation not supported`.
"""

import re

from fullrate.records.errors import FormatError
from fullrate.records.evidence import Request, query
from fullrate.records.facts.queues import RssTable
from fullrate.records.leaf import Source, for_each_device, runs
from fullrate.records.parsing import whole, wholes
from fullrate.sources._text import lines_of, starts_with

_TITLE = "RX flow hash indirection table for "
_HEAD = re.compile(re.escape(_TITLE) + r"(\S+) with (\d+) RX ring\(s\):")
_ROW = re.compile(r"\s*(\d+):((?:\s+\d+)+)")


def parse(_: Request, payload: bytes) -> tuple[RssTable, ...]:
    """The link's indirection table. Raises FormatError, also when a row of it is missing."""
    lines = lines_of(payload)
    head = _HEAD.fullmatch(lines[0]) if lines else None
    if head is None:
        raise FormatError("no indirection table in the answer of ethtool -x")
    table: list[int] = []
    for line in lines[1:]:
        row = _ROW.fullmatch(line)
        if row is None:
            break
        if whole(row[1]) != len(table):
            raise FormatError(f"row {row[1]} of the indirection table follows {len(table)} entries")
        table += wholes(row[2].split())
    if not table and lines[1:2] != ("Operation not supported",):
        raise FormatError("the indirection table is cut off")
    return (RssTable(subject=head[1], rings=whole(head[2]), table=tuple(table)),)


SOURCE = Source(
    id="ethtool_rss",
    facts=(RssTable,),
    requests=for_each_device(lambda link: query("ethtool", "-x", link)),
    answers=runs("ethtool", "-x"),
    recognizes=starts_with(_TITLE),
    parse=parse,
)
