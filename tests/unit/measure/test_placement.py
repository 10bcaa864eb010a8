"""The CPUs for traffic programs: the NIC's node, a core each, not CPU 0, not those that the NIC interrupts."""

import pytest

from fullrate.measure.placement import placement
from fullrate.records.facts.base import Fact
from fullrate.records.facts.bus import DevicePath
from fullrate.records.facts.cpu import ProcessPlacement
from fullrate.records.facts.processor import CpuIsolation, CpuPlace
from fullrate.records.facts.queues import IrqAffinity, LinkIrqs
from fullrate.records.snapshot import Observation, Snapshot

# Two sockets of two cores with two threads each: 0-3 are first threads, 4-7 their siblings; node 1 has 2, 3, 6, 7.
PLACES = tuple(CpuPlace(subject=str(cpu), core=cpu % 4, socket=cpu % 4 // 2, node=cpu % 4 // 2) for cpu in range(8))
NODE_1 = DevicePath(subject="eth0", steps=(), numa_node=1)
IRQS = (LinkIrqs(subject="eth0", own=("40", "41")), IrqAffinity(subject="40", effective=(2,)), IrqAffinity(subject="9"))


def end(*facts: Fact) -> Snapshot:
    """A host of which this is known."""
    return Snapshot(observations=tuple(Observation(fact=fact, taken_at=0.0, source="x") for fact in facts))


@pytest.mark.parametrize(
    ("facts", "expected"),
    [
        ((), ()),
        (PLACES[:1], (0,)),
        (PLACES, (1, 2, 3, 4, 5, 6, 7, 0)),
        ((*PLACES, NODE_1), (2, 3, 6, 7, 1, 4, 5, 0)),
        ((*PLACES, NODE_1, *IRQS), (3, 6, 7, 2, 1, 4, 5, 0)),
        ((*PLACES, CpuIsolation(subject="", isolated=(1, 2, 3))), (5, 6, 7, 4, 0)),
        ((*PLACES, ProcessPlacement(subject="77", name="python3", threads=1, cpus_allowed=(0, 4))), (4, 0)),
    ],
    ids=["nothing known", "one CPU", "cores first", "the node first", "not its interrupts", "isolated", "allowed"],
)
def test_placement(facts: tuple[Fact, ...], expected: tuple[int, ...]) -> None:
    """The best CPU first; a bad one rather than none."""
    assert expected == placement(end(*facts), "eth0")
