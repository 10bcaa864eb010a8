"""`grep -sH '' FILE...`: frames that a NIC discarded on receive, by the names every driver shares.

    /sys/class/net/eth3/statistics/rx_missed_errors:17
    /sys/class/net/eth3/statistics/rx_fifo_errors:0
    /sys/class/net/eth3/statistics/rx_over_errors:0

struct rtnl_link_stats64 in include/uapi/linux/if_link.h: rx_missed_errors counts packets the host had no buffer for,
rx_fifo_errors and rx_over_errors a receiver's FIFO or ring that ran over; drivers differ in which they use.
"""

import re
from collections import defaultdict

from fullrate.records.evidence import QueryCommand, Request
from fullrate.records.facts.queues import ReceiveDrops
from fullrate.records.leaf import Source, for_many_links
from fullrate.records.parsing import whole
from fullrate.sources._grep import file_lines, grep, matched, mentions

_NAMES = ("rx_missed_errors", "rx_fifo_errors", "rx_over_errors")
_FORM = r"/sys/class/net/(?P<link>[^/]+)/statistics/(?P<name>{})".format("|".join(_NAMES))
_PATH = re.compile(_FORM)


def _request(links: tuple[str, ...]) -> QueryCommand:
    return grep(*(f"/sys/class/net/{link}/statistics/{name}" for link in links for name in _NAMES))


def _parse(_: Request, payload: bytes) -> tuple[ReceiveDrops, ...]:
    links: dict[str, dict[str, int]] = defaultdict(dict)
    for line in file_lines(payload):
        found = matched(line.path, _PATH)
        links[found["link"]][found["name"]] = whole(line.value)
    missed, fifo, over = _NAMES
    return tuple(
        ReceiveDrops(subject=link, missed=values.get(missed), fifo=values.get(fifo), over=values.get(over))
        for link, values in links.items()
    )


def _answers(request: Request) -> bool:
    return isinstance(request, QueryCommand) and request.argv[:1] == ("grep",) and bool(_PATH.search(request.argv[-1]))


SOURCE = Source(
    id="receive_drops",
    facts=(ReceiveDrops,),
    requests=for_many_links(_request),
    answers=_answers,
    recognizes=mentions(_FORM),
    parse=_parse,
    moving=True,
)
