"""Traffic threads that wander between nodes."""

from dataclasses import replace

import pytest

from fullrate.checks.task_migration import CHECK
from fullrate.records.facts.processor import CpuPlace, ThreadTimes
from fullrate.records.finding import Confidence, Finding, Judgement
from fullrate.records.trial import Sample
from unit.checks.build import FAR, Scene, evidence, found, judged
from unit.checks.cpu_pairs import core, ordinary, thread
from unit.checks.scenes_cpu import wandering


def swinging(scene: Scene, *rates: float, warm_up: float = 0.0) -> Finding:
    """The finding when the rate was so in each second."""
    series = tuple(Sample(at=7.0 + at, seconds=1.0, throughput=rate) for at, rate in enumerate(rates, 1))
    view = scene.view()
    trials = tuple(replace(trial, series=series, warm_up=warm_up) for trial in view.trials)
    return CHECK.diagnose(replace(view, trials=trials))


def test_thread_on_two_nodes_is_a_problem() -> None:
    """From CPU 2 in node 1 to CPU 0 in node 0, and the rate is unsteady."""
    finding = found(CHECK, wandering())
    assert (Judgement.PROBLEM, FAR, "iperf3") == (finding.verdict, finding.end, finding.subject)


def test_it_is_only_likely() -> None:
    """Two readings do not show what happened in between."""
    assert Confidence.LOW is found(CHECK, wandering()).confidence


def test_cost_is_its_good_moments_against_its_mean() -> None:
    """600 on average, 900 when well placed."""
    assert 300e6 == pytest.approx(swinging(wandering(), *[900e6, 300e6] * 5).costs_bps)


def test_one_good_second_is_no_measure() -> None:
    """The tenth of the samples that is highest does not count."""
    assert 50e6 == pytest.approx(swinging(wandering(), *[550e6] * 5, *[650e6] * 5, 940e6).costs_bps)


def test_warm_up_does_not_count() -> None:
    """What was reached before the steady part."""
    assert 0.0 == swinging(wandering(), 900e6, 900e6, *[600e6] * 8, warm_up=2.0).costs_bps


def test_cites_both_cpus() -> None:
    """Early and late."""
    assert "2, later 0" == evidence(found(CHECK, wandering()), "thread 77 CPU")[1]


def test_move_within_a_node_is_clear() -> None:
    """A near miss: the caches are near."""
    assert Judgement.CLEAR is judged(CHECK, wandering(was=1))


def test_steady_rate_is_clear() -> None:
    """A near miss: it moved, and nothing came of it."""
    assert Judgement.CLEAR is judged(CHECK, replace(wandering(), steady=True))


def test_loss_is_another_cause() -> None:
    """The rate swings with it."""
    assert Judgement.CLEAR is judged(CHECK, replace(wandering(), retransmit_ratio=0.01))


def test_full_cpu_is_another_cause() -> None:
    """The rate swings with the CPU's other work."""
    assert Judgement.CLEAR is judged(CHECK, wandering().seeing(FAR, core(0, system=0.97)))


def test_one_node_is_not_applicable() -> None:
    """Most hosts have one."""
    scene = replace(ordinary(), steady=False)
    for end in scene.view().ends:
        scene = scene.having(end, *(CpuPlace(subject=str(cpu), core=cpu, node=0) for cpu in range(4)))
    assert Judgement.NOT_APPLICABLE is judged(CHECK, scene)


def test_thread_that_stayed_is_clear() -> None:
    """It was on one CPU at both readings."""
    assert Judgement.CLEAR is judged(CHECK, wandering().seeing(FAR, thread(0, 0.4)))


@pytest.mark.parametrize(("kind", "part"), [(CpuPlace, "facts"), (ThreadTimes, "after")])
def test_unread_nodes_or_threads_are_unknown(kind: type[CpuPlace | ThreadTimes], part: str) -> None:
    """What must be known of the end that has several nodes."""
    scene = wandering(was=1).lacking(FAR, kind, part)
    assert Judgement.UNKNOWN is judged(CHECK, scene)
