"""On which CPUs the traffic programs of an end are best kept. Pure.

The NIC's own memory node first, one physical core each, not CPU 0 (which serves what nobody placed) and not the CPUs
that the NIC interrupts; what is left is taken when there is no choice (Documentation/networking/scaling.rst and
Documentation/admin-guide/kernel-parameters.rst, isolcpus: an isolated CPU is left to what it was isolated for).
"""

from collections.abc import Iterable

from fullrate.records.facts.bus import DevicePath
from fullrate.records.facts.cpu import ProcessPlacement
from fullrate.records.facts.processor import CpuIsolation, CpuPlace
from fullrate.records.facts.queues import IrqAffinity, LinkIrqs
from fullrate.records.snapshot import Snapshot


def placement(end: Snapshot, link: str) -> tuple[int, ...]:
    """The CPUs that a program of ours may be kept on, the best first; none where none is known."""
    places = {int(one.subject): one for one in end.all(CpuPlace)}
    isolated = frozenset(cpu for fact in end.all(CpuIsolation) for cpu in fact.isolated)
    usable = [cpu for cpu in places if cpu not in isolated and cpu in _allowed(end, places)]
    busy, node = _interrupted(end, link) | {0}, _node(end, link)
    rank = _siblings(places[cpu] for cpu in usable)

    def price(cpu: int) -> tuple[bool, bool, int, int]:
        return (node is not None and places[cpu].node != node, cpu in busy, rank[cpu], cpu)

    return tuple(sorted(usable, key=price))


def _allowed(end: Snapshot, places: Iterable[int]) -> frozenset[int]:
    """Where the programs that we start may run: wherever the agent that starts them may."""
    placed = end.find(ProcessPlacement)
    return frozenset(places if placed is None else placed.cpus_allowed)


def _node(end: Snapshot, link: str) -> int | None:
    device = end.find(DevicePath, link)
    return None if device is None else device.numa_node


def _interrupted(end: Snapshot, link: str) -> frozenset[int]:
    """The CPUs that handle the link's interrupts."""
    irqs = end.find(LinkIrqs, link)
    numbers = () if irqs is None else (*irqs.own, *irqs.parent)
    return frozenset(cpu for one in end.all(IrqAffinity) if one.subject in numbers for cpu in one.cpus)


def _siblings(places: Iterable[CpuPlace]) -> dict[int, int]:
    """For each CPU how many of its core come before it: a core's first thread is 0."""
    seen: dict[tuple[int | None, int | None], int] = {}
    ranks: dict[int, int] = {}
    for place in sorted(places, key=lambda one: int(one.subject)):
        core = (place.socket, place.core if place.core is not None else int(place.subject))
        ranks[int(place.subject)] = seen.get(core, 0)
        seen[core] = ranks[int(place.subject)] + 1
    return ranks
