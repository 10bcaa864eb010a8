"""`conntrack -S`: what connection tracking refused, a line a CPU.

    cpu=0   	found=25 invalid=4 insert=0 insert_failed=2 drop=7 early_drop=1 error=0 search_restart=11

Printed by conntrack-tools' src/conntrack.c. The number of entries is not among it (`conntrack -C`). Before version
1.4.2 one line held the sums of all CPUs, without `cpu=`.
"""

import re

from fullrate.records.errors import FormatError
from fullrate.records.evidence import Request, query
from fullrate.records.facts.limits import ConntrackCounters
from fullrate.records.leaf import Source, no_requests, runs
from fullrate.records.parsing import whole
from fullrate.sources._text import lines_of

_FIELD = re.compile(r"\b([a-z_]+)=(\d+)")
_OURS = re.compile(r"^[ \t]*(cpu=\d+\s+)?(entries=\d+\s+)?(searched=\d+\s+)?found=\d+\s", re.MULTILINE)


def parse(_: Request, payload: bytes) -> tuple[ConntrackCounters, ...]:
    """The sums of all CPUs. Raises FormatError."""
    sums: dict[str, int] = {}
    for line in lines_of(payload):
        fields = _FIELD.findall(line)
        if not fields:
            raise FormatError(f"conntrack -S: no counter in {line!r}")
        for name, number in fields:
            sums[name] = sums.get(name, 0) + whole(number)
    if not {"drop", "early_drop", "insert_failed"} <= sums.keys():
        raise FormatError("conntrack -S: drop, early_drop and insert_failed are not all there")
    return (
        ConntrackCounters(
            entries=sums.get("entries"),
            dropped=sums["drop"],
            early_dropped=sums["early_drop"],
            insert_failed=sums["insert_failed"],
        ),
    )


SOURCE = Source(
    id="conntrack_statistics",
    facts=(ConntrackCounters,),
    requests=no_requests,
    pasted=lambda _: query("conntrack", "-S"),
    answers=runs("conntrack", "-S"),
    recognizes=lambda text: _OURS.search(text) is not None,
    parse=parse,
)
