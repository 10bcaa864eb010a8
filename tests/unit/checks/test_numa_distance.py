"""The check numa-distance."""

from dataclasses import replace

import pytest

from fullrate.checks.numa_distance import CHECK
from fullrate.records.facts.bus import DevicePath
from fullrate.records.facts.cpu import ProcessTimes, Topology
from fullrate.records.finding import Confidence, Judgement
from unit.checks.build import FAR, NEAR, evidence, found, judged
from unit.checks.nic import job, path, virtual
from unit.checks.pairs import still
from unit.checks.scenes_nic import distant


def test_program_on_the_other_node_and_a_full_cpu() -> None:
    """Named with low confidence and no cost: only a test on the near node tells."""
    finding = found(CHECK, distant(busy=0.97))
    assert (Judgement.PROBLEM, Confidence.LOW, 0.0, "memory") == (
        finding.verdict,
        finding.confidence,
        finding.costs_bps,
        finding.stage,
    )


def test_asks_for_the_near_cpus() -> None:
    """The command names them."""
    (ask,) = found(CHECK, distant(busy=0.97)).asks
    assert (FAR, "run the test again on the near CPUs: taskset -c 0 ...") == (ask.end, ask.text)


def test_cites_node_and_place() -> None:
    """Where the NIC hangs and where the program ran."""
    finding = found(CHECK, distant(busy=0.97))
    assert ("read /sys/class/net/enp3s0/device/numa_node", "0") == evidence(finding, "node")
    assert "1" == evidence(finding, "iperf3 ran on CPU")[1]


def test_program_on_the_near_node() -> None:
    """CPU 0 is near."""
    assert Judgement.CLEAR is judged(CHECK, job())


def test_one_thread_near_is_enough() -> None:
    """Two programs, one of them near: nothing is claimed."""
    near = ProcessTimes(subject="78", name="iperf3", user=1, system=2, last_cpu=0)
    assert Judgement.CLEAR is judged(CHECK, distant(busy=0.97).seeing(FAR, still(near)))


def test_cpu_with_room() -> None:
    """Distance alone harms nobody."""
    assert Judgement.CLEAR is judged(CHECK, distant(busy=0.7))


def test_full_link() -> None:
    """A full link is not accused."""
    assert Judgement.CLEAR is judged(CHECK, replace(distant(busy=0.97), rate=935e6))


def test_one_node_or_none_known() -> None:
    """Desktop machines, virtual links, and firmware that names no node."""
    one, none = distant(busy=0.97), distant(busy=0.97)
    for end in (NEAR, FAR):
        one = one.having(end, Topology(cpus=2, numa_nodes=1))
        none = none.having(end, path(end, numa_node=None))
    assert [Judgement.NOT_APPLICABLE] * 3 == [
        judged(CHECK, scene) for scene in (one, none, virtual(distant(busy=0.97)))
    ]


@pytest.mark.parametrize("kind", [DevicePath, Topology, ProcessTimes])
def test_unread(kind: type[DevicePath] | type[Topology] | type[ProcessTimes]) -> None:
    """Node, topology and the program's place must be known."""
    scene = distant(busy=0.97).lacking(FAR, kind, "facts", "before", "after")
    assert Judgement.UNKNOWN is judged(CHECK, scene)
