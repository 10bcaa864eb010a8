"""`numactl -H`: which CPUs belong to each memory node.

    available: 2 nodes (0-1)
    node 0 cpus: 0 1 2 3
    node 0 size: 64215 MB
    node distances:

numactl(8), printed by numactl.c, hardware. lscpu says the same: `NUMA node0 CPU(s): 0-3`.
"""

import re
from collections.abc import Iterator

from fullrate.records.errors import FormatError
from fullrate.records.evidence import Request, query
from fullrate.records.facts.processor import CpuPlace
from fullrate.records.leaf import Source, no_requests, runs
from fullrate.records.parsing import whole, wholes
from fullrate.sources._text import lines_of

_NODE = re.compile(r"\s*node (\d+) cpus:((?:\s+\d+)*)")
_OURS = re.compile(r"^[ \t]*(available: \d+ nodes? \(|node \d+ cpus:)", re.MULTILINE)


def _places(lines: tuple[str, ...]) -> Iterator[CpuPlace]:
    for line in lines:
        found = _NODE.fullmatch(line)
        if found:
            yield from (CpuPlace(subject=str(cpu), node=whole(found[1])) for cpu in wholes(found[2].split()))


def parse(_: Request, payload: bytes) -> tuple[CpuPlace, ...]:
    """The node of each CPU. Raises FormatError."""
    places = tuple(_places(lines_of(payload)))
    if not places:
        raise FormatError("no CPU of a node: not of numactl -H")
    return places


SOURCE = Source(
    id="numactl",
    facts=(CpuPlace,),
    requests=no_requests,
    pasted=lambda _: query("numactl", "-H"),
    answers=runs("numactl"),
    recognizes=lambda text: _OURS.search(text) is not None,
    parse=parse,
)
