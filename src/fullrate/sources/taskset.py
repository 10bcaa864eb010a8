"""`taskset -cp PID`: the CPUs that a process or kernel thread may run on.

    pid 1290's current affinity list: 3
    pid 1291's current affinity mask: 8

util-linux' schedutils/taskset.c; `new affinity` follows when it was changed, and then counts.
"""

import re

from fullrate.records.errors import FormatError
from fullrate.records.evidence import Request, query
from fullrate.records.facts.processor import ThreadAffinity
from fullrate.records.leaf import Source, no_requests, runs
from fullrate.records.parsing import cpu_list
from fullrate.sources._grep import cpu_mask
from fullrate.sources._text import lines_of

_LINE = re.compile(r"\s*pid (\d+)'s (?:current|new) affinity (list|mask): (\S+)")
_OURS = re.compile(r"^[ \t]*pid \d+'s (current|new) affinity (list|mask): ", re.MULTILINE)


def parse(_: Request, payload: bytes) -> tuple[ThreadAffinity, ...]:
    """The affinity of each process, the newest. Raises FormatError."""
    found: dict[str, ThreadAffinity] = {}
    for line in lines_of(payload):
        match = _LINE.fullmatch(line)
        if match:
            cpus = cpu_list(match[3]) if match[2] == "list" else cpu_mask(match[3])
            found[match[1]] = ThreadAffinity(subject=match[1], cpus=cpus)
    if not found:
        raise FormatError("no affinity of a process: not of taskset -p")
    return tuple(found.values())


SOURCE = Source(
    id="taskset",
    facts=(ThreadAffinity,),
    requests=no_requests,
    pasted=lambda _: query("taskset", "-cp"),
    answers=runs("taskset"),
    recognizes=lambda text: _OURS.search(text) is not None,
    parse=parse,
)
