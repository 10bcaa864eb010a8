"""`grep -rsH '' FOLDER...`: the message-signalled interrupts of a link's device, and of the device above it.

    /sys/class/net/eth3/device/msi_irqs/49:msix
    /sys/class/net/eth9/device/../msi_irqs/78:msix

Documentation/ABI/testing/sysfs-bus-pci (msi_irqs): the file's name is the number in /proc/interrupts. The names
there differ from driver to driver, so a link's interrupts are not to be told by them. Those one level up are a virtio
link's own; of any other link they are a bridge's.
"""

import re
from collections import defaultdict

from fullrate.records.evidence import QueryCommand, Request
from fullrate.records.facts.queues import LinkIrqs
from fullrate.records.leaf import Source, for_many_devices
from fullrate.records.parsing import whole
from fullrate.sources._grep import file_lines, grep_tree, matched, mentions

_FORM = r"/sys/class/net/(?P<link>[^/]+)/device(?P<up>(?:/\.\.)?)/msi_irqs/(?P<irq>\d+)"
_PATH = re.compile(_FORM)


def _request(links: tuple[str, ...]) -> QueryCommand:
    return grep_tree(*(f"/sys/class/net/{link}/device{up}/msi_irqs" for link in links for up in ("", "/..")))


def _parse(_: Request, payload: bytes) -> tuple[LinkIrqs, ...]:
    links: dict[str, tuple[set[int], set[int]]] = defaultdict(lambda: (set(), set()))
    for line in file_lines(payload):
        found = matched(line.path, _PATH)
        links[found["link"]][bool(found["up"])].add(whole(found["irq"]))
    return tuple(
        LinkIrqs(subject=link, own=_sorted(own), parent=_sorted(above)) for link, (own, above) in links.items()
    )


def _sorted(irqs: set[int]) -> tuple[str, ...]:
    return tuple(map(str, sorted(irqs)))


def _answers(request: Request) -> bool:
    return (
        isinstance(request, QueryCommand)
        and request.argv[:1] == ("grep",)
        and request.argv[-1].endswith("/device/../msi_irqs")
    )


SOURCE = Source(
    id="link_irqs",
    facts=(LinkIrqs,),
    requests=for_many_devices(_request),
    answers=_answers,
    recognizes=mentions(_FORM),
    parse=_parse,
)
