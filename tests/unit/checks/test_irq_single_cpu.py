"""The check irq-single-cpu."""

import pytest

from fullrate.checks.irq_single_cpu import CHECK
from fullrate.records.facts.cpu import Interrupt
from fullrate.records.facts.queues import IrqAffinity, LinkIrqs
from fullrate.records.finding import Confidence, Judgement
from unit.checks.build import FAR, Scene, asked, evidence, found, judged, untested
from unit.checks.nic import affinity, held, job, path, receiving, virtual, with_flows
from unit.checks.scenes_nic import on_one_cpu


def test_all_queues_interrupt_a_full_cpu() -> None:
    """Two signs: the affinities, and a CPU full of softirqs that four flows do not get past."""
    finding = found(CHECK, held(on_one_cpu(job())))
    assert (Judgement.PROBLEM, "interrupts", Confidence.HIGH, FAR) == (
        finding.verdict,
        finding.stage,
        finding.confidence,
        finding.end,
    )
    assert finding.costs_bps > 0


def test_cites_every_interrupt() -> None:
    """Number, name and CPU of each queue, and the load."""
    finding = found(CHECK, held(on_one_cpu(job())))
    assert ("IrqAffinity", "CPU 0") == evidence(finding, "IRQ 61 enp3s0-rx-0")
    assert "99%, 90%" == evidence(finding, "CPU 0 busy")[1]


def test_spread_interrupts_are_cleared() -> None:
    """Two CPUs for four queues will do."""
    assert "2 CPUs" in found(CHECK, held(job())).summary


def test_at_no_cost_it_is_told() -> None:
    """A setting that would bite is worth a word and costs nothing."""
    finding = found(CHECK, on_one_cpu(job()))
    assert (Judgement.PROBLEM, 0.0, Confidence.MEDIUM) == (finding.verdict, finding.costs_bps, finding.confidence)


def test_one_flow_alone_proves_nothing() -> None:
    """One flow uses one queue: a trial of several is asked for."""
    scene = on_one_cpu(job()).seeing(FAR, receiving(0, busy=0.99, softirq=0.9))
    assert [4] == [ask.trial.streams for ask in asked(CHECK, scene) if ask.trial]


def test_several_flows_that_fill_the_link() -> None:
    """Then the interrupts cost nothing."""
    scene = on_one_cpu(job()).seeing(FAR, receiving(0, busy=0.99, softirq=0.9))
    assert 0.0 == found(CHECK, with_flows(scene, rate=938e6)).costs_bps


def test_remedy_uses_the_near_cpus() -> None:
    """One CPU of the NIC's node a queue, in turn; the undo is the list found."""
    scene = on_one_cpu(job()).having(FAR, path(FAR, local_cpus=(0, 1)))
    (remedy,) = found(CHECK, scene).remedies
    files = [f"/proc/irq/{irq}/smp_affinity_list" for irq in range(61, 65)]
    moves = zip((0, 1, 0, 1), files, strict=True)
    assert tuple(f"echo {cpu} > {file}" for cpu, file in moves) == remedy.commands
    assert tuple(f"echo 0,1 > {file}" for file in files) == remedy.undo


def test_without_affinities_no_command() -> None:
    """What was not read cannot be restored."""
    table = [
        Interrupt(subject=str(irq), counts=(90_000, 3), cpus=(0, 1), action=f"x enp3s0-rx-{irq - 61}")
        for irq in range(61, 65)
    ]
    (remedy,) = found(CHECK, job().lacking(FAR, IrqAffinity, "facts").having(FAR, *table)).remedies
    assert ((), ()) == (remedy.commands, remedy.undo)


def _one_vector() -> Scene:
    return job().having(FAR, LinkIrqs(subject="enp3s0", own=("61",)))


def _one_cpu() -> Scene:
    table = [Interrupt(subject=str(irq), counts=(9,), cpus=(0,), action=f"x enp3s0-rx-{irq}") for irq in range(60, 65)]
    return job().having(FAR, *table, *affinity(FAR, 0))


@pytest.mark.parametrize("scene", [virtual(on_one_cpu(job())), _one_vector(), _one_cpu()])
def test_nothing_to_spread(scene: Scene) -> None:
    """A veth, a NIC with one receive interrupt, and a host with one CPU."""
    assert Judgement.NOT_APPLICABLE is judged(CHECK, scene)


def test_unread_table() -> None:
    """Without /proc/interrupts nothing is known."""
    assert Judgement.UNKNOWN is judged(CHECK, on_one_cpu(job()).lacking(FAR, Interrupt, "facts"))


def test_untested_setting() -> None:
    """Before a trial nobody knows what it costs."""
    assert Judgement.UNKNOWN is judged(CHECK, untested(on_one_cpu(job())))
