"""The check rps-single-cpu."""

import pytest

from fullrate.checks.rps_single_cpu import CHECK
from fullrate.records.facts.cpu import CpuTimes
from fullrate.records.facts.net import FilterChain
from fullrate.records.facts.queues import QueueCpus
from fullrate.records.finding import Confidence, Judgement
from unit.checks.build import FAR, Scene, asked, evidence, found, judged
from unit.checks.nic import held, job, receiving, virtual, with_flows
from unit.checks.scenes_nic import steered


def full(scene: Scene, *, cpu: int = 0) -> Scene:
    """The scene with one of the receiver's CPUs full of softirqs, with one flow and with four."""
    return with_flows(scene.seeing(FAR, receiving(cpu, busy=0.99, softirq=0.9)))


def test_all_packets_steered_to_a_full_cpu() -> None:
    """Two signs: the masks, and that very CPU full of softirqs."""
    finding = found(CHECK, full(steered(job(), 0)))
    assert (Judgement.PROBLEM, "softirq", Confidence.HIGH) == (finding.verdict, finding.stage, finding.confidence)


def test_cost_is_the_ceiling_minus_what_the_cpu_holds() -> None:
    """Four flows: 620 Mbit/s at 99 %."""
    assert 941.48e6 - 620e6 / 0.99 == pytest.approx(found(CHECK, full(steered(job(), 0))).costs_bps, rel=0.001)


def test_remedy_spreads_over_all_cpus() -> None:
    """Every queue gets both CPUs; the undo is the mask found."""
    (remedy,) = found(CHECK, full(steered(job(), 0))).remedies
    assert ("echo 3 > /sys/class/net/enp3s0/queues/rx-0/rps_cpus", 4) == (remedy.commands[0], len(remedy.commands))
    assert "echo 1 > /sys/class/net/enp3s0/queues/rx-3/rps_cpus" == remedy.undo[3]


def test_cites_the_masks() -> None:
    """Each queue's own."""
    assert ("QueueCpus", "0") == evidence(found(CHECK, full(steered(job(), 0))), "rx-2 rps_cpus")


@pytest.mark.parametrize(
    "scene",
    [
        full(job()),
        full(steered(job(), 0, 1)),
        full(steered(job(), 0).having(FAR, QueueCpus(subject="enp3s0", queue="rx-1"))),
        full(steered(job(), 0).having(FAR, QueueCpus(subject="enp3s0", queue="rx-1", rps_cpus=(1,)))),
    ],
)
def test_other_masks(scene: Scene) -> None:
    """Off, on both CPUs, off on one queue, and another CPU for another queue."""
    assert Judgement.CLEAR is judged(CHECK, scene)


def test_another_cpu_is_full() -> None:
    """Then the steering is not to blame."""
    assert Judgement.CLEAR is judged(CHECK, full(steered(job(), 0), cpu=1))


def test_one_flow_alone_accuses_nothing() -> None:
    """It is never spread, whatever the mask says: four are asked for first."""
    one = steered(job(), 0).seeing(FAR, receiving(0, busy=0.99, softirq=0.9))
    assert [4] == [ask.trial.streams for ask in asked(CHECK, one) if ask.trial]


def test_flows_that_fill_the_link_together_accuse_nothing() -> None:
    """A near miss: only one flow at a time is held back."""
    one = steered(job(), 0).seeing(FAR, receiving(0, busy=0.99, softirq=0.9))
    assert Judgement.CLEAR is judged(CHECK, with_flows(one, rate=938e6))


def test_long_list_of_filter_rules_is_not_the_masks_fault() -> None:
    """Every packet passes 100,000 rules on that CPU."""
    chain = FilterChain(subject="inet filter input", hook="input", policy="accept", rules=100_000, kind="filter")
    scene = full(steered(job(), 0)).having(FAR, chain)
    assert Judgement.CLEAR is judged(CHECK, scene)


def test_cpu_with_room() -> None:
    """Some steer packets away from the interrupt's CPU on purpose."""
    assert "at no cost" in found(CHECK, steered(job(), 0)).summary


def test_full_link() -> None:
    """A full link is not accused."""
    assert Judgement.CLEAR is judged(CHECK, held(steered(job(935e6), 0)))


def test_virtual_links_are_steered_too() -> None:
    """RPS works on a veth as well."""
    assert Judgement.PROBLEM is judged(CHECK, virtual(full(steered(job(), 0))))


@pytest.mark.parametrize("kind", [QueueCpus, CpuTimes])
def test_unread(kind: type[QueueCpus] | type[CpuTimes]) -> None:
    """Masks and loads must both be known."""
    assert Judgement.UNKNOWN is judged(CHECK, full(steered(job(), 0)).lacking(FAR, kind, "facts", "after"))
