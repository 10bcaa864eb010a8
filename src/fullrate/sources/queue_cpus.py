"""`grep -rsH '' /sys/class/net/IFNAME/queues`: software steering of each queue, as masks of CPUs.

    /sys/class/net/eth3/queues/rx-0/rps_cpus:00000000,0000000c
    /sys/class/net/eth3/queues/rx-0/rps_flow_cnt:0
    /sys/class/net/eth3/queues/tx-0/xps_cpus:1

Documentation/networking/scaling.rst: a mask of zero switches RPS off. xps_cpus cannot be read on a link with one
transmit queue.
"""

import re
from collections import defaultdict

from fullrate.records.evidence import QueryCommand, Request
from fullrate.records.facts.queues import QueueCpus
from fullrate.records.leaf import Source, for_many_links
from fullrate.records.parsing import whole
from fullrate.sources._grep import cpu_mask, file_lines, grep_tree, matched, mentions

_NAMES = ("rps_cpus", "rps_flow_cnt", "xps_cpus")
_FORM = r"/sys/class/net/(?P<link>[^/]+)/queues/(?P<queue>[rt]x-\d+)/(?P<name>{})".format("|".join(_NAMES))
_PATH = re.compile(_FORM)


def _request(links: tuple[str, ...]) -> QueryCommand:
    return grep_tree(*(f"/sys/class/net/{link}/queues" for link in links), names=_NAMES)


def _parse(_: Request, payload: bytes) -> tuple[QueueCpus, ...]:
    queues: dict[tuple[str, str], dict[str, str]] = defaultdict(dict)
    for line in file_lines(payload):
        found = matched(line.path, _PATH)
        queues[found["link"], found["queue"]][found["name"]] = line.value
    return tuple(
        QueueCpus(
            subject=link,
            queue=queue,
            rps_cpus=cpu_mask(values.get("rps_cpus", "0")),
            rps_flows=whole(values.get("rps_flow_cnt", "0")),
            xps_cpus=cpu_mask(values.get("xps_cpus", "0")),
        )
        for (link, queue), values in queues.items()
    )


def _answers(request: Request) -> bool:
    return isinstance(request, QueryCommand) and request.argv[:1] == ("grep",) and request.argv[-1].endswith("/queues")


SOURCE = Source(
    id="queue_cpus",
    facts=(QueueCpus,),
    requests=for_many_links(_request),
    answers=_answers,
    recognizes=mentions(_FORM),
    parse=_parse,
)
