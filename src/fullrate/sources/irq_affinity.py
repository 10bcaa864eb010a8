"""`grep -rsH '' /proc/irq`: which CPUs may handle each interrupt, and which one does.

    /proc/irq/50/smp_affinity_list:2-3
    /proc/irq/50/effective_affinity_list:2

    /proc/irq/50/smp_affinity:0000000c

Documentation/core-api/irq/irq-affinity.rst. effective_affinity_list is there since Linux 4.13 on controllers that
tell it; an interrupt that nobody uses has an empty one. Read again with every trial, for somebody may move them.
"""

import re
from collections import defaultdict

from fullrate.records.evidence import QueryCommand, Request
from fullrate.records.facts.queues import IrqAffinity
from fullrate.records.leaf import Source, always
from fullrate.records.parsing import cpu_list
from fullrate.sources._grep import cpu_mask, file_lines, grep_tree, matched, mentions

_FORM = r"/proc/irq/(?P<irq>\d+)/(?P<name>smp|effective)_affinity(?P<list>_list|)"
_PATH = re.compile(_FORM)
_REQUEST = grep_tree("/proc/irq", names=("smp_affinity_list", "effective_affinity_list"))


def _parse(_: Request, payload: bytes) -> tuple[IrqAffinity, ...]:
    irqs: dict[str, dict[str, tuple[int, ...]]] = defaultdict(dict)
    for line in file_lines(payload):
        found = matched(line.path, _PATH)
        irqs[found["irq"]][found["name"]] = cpu_list(line.value) if found["list"] else cpu_mask(line.value)
    return tuple(
        IrqAffinity(subject=irq, allowed=lists.get("smp", ()), effective=lists.get("effective", ()))
        for irq, lists in irqs.items()
    )


def _answers(request: Request) -> bool:
    return isinstance(request, QueryCommand) and request.argv[:1] == ("grep",) and request.argv[-1] == "/proc/irq"


SOURCE = Source(
    id="irq_affinity",
    facts=(IrqAffinity,),
    requests=always(_REQUEST),
    answers=_answers,
    recognizes=mentions(_FORM),
    parse=_parse,
    moving=True,
)
