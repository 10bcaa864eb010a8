"""CPUs that are slowed down for heat."""

import pytest

from fullrate.checks.thermal_throttle import CHECK
from fullrate.records.facts.processor import FrequencyControl, ThermalThrottling
from fullrate.records.finding import Confidence, Judgement
from unit.checks.build import CEILING, FAR, NEAR, evidence, found, judged
from unit.checks.cpu_pairs import clocked, core, full_cpu, heat, ordinary
from unit.checks.scenes_cpu import hot, plainly_full


def test_heat_on_the_full_cpu_is_a_problem() -> None:
    """Five events during the test."""
    finding = found(CHECK, hot())
    assert (Judgement.PROBLEM, NEAR, "cpu0") == (finding.verdict, finding.end, finding.subject)


def test_kernel_counts_the_victims() -> None:
    """So it is sure."""
    assert Confidence.HIGH is found(CHECK, hot()).confidence


def test_cost_by_the_clock_meanwhile() -> None:
    """At 60 % of the clock 500 Mbit/s: 833 at the whole."""
    scene = hot().seeing(NEAR, *clocked(1.8e9))
    assert 500e6 / 0.6 - 500e6 == pytest.approx(found(CHECK, scene).costs_bps)


def test_cost_ends_at_the_ceiling() -> None:
    """At half of the clock it would be more than the link carries."""
    assert CEILING - 500e6 == pytest.approx(found(CHECK, hot()).costs_bps)


@pytest.mark.parametrize("frequency", [None, 3e9])
def test_cost_is_open_without_a_low_clock(frequency: float | None) -> None:
    """A clock that was not told, or was high again when it was read."""
    scene = hot().seeing(NEAR, *clocked(frequency))
    assert (Judgement.PROBLEM, True) == (judged(CHECK, scene), found(CHECK, scene).costs_bps < 15e6)


def test_no_frequency_control_leaves_the_cost_open() -> None:
    """The events alone tell the cause."""
    scene = hot().lacking(NEAR, FrequencyControl, "facts")
    assert (Judgement.PROBLEM, 0.0) == (judged(CHECK, scene), found(CHECK, scene).costs_bps)


def test_cites_events_and_clock() -> None:
    """The counter and how far the clock fell."""
    finding = found(CHECK, hot())
    assert "+5" == evidence(finding, "throttle events of CPU 0")[1]
    assert "50%" == evidence(finding, "clock under load")[1]


def test_receiver_counts_too() -> None:
    """Either end may be hot."""
    assert FAR is found(CHECK, full_cpu(softirq=0.98).seeing(FAR, heat(events=2))).end


def test_heat_on_another_cpu_is_clear() -> None:
    """A near miss: it was CPU 1 that slowed down."""
    assert Judgement.CLEAR is judged(CHECK, hot().seeing(NEAR, heat(events=5, cpu=1)).seeing(FAR, heat()))


def test_old_events_are_clear() -> None:
    """A near miss: all of them before the test."""
    assert Judgement.CLEAR is judged(CHECK, hot(events=0).seeing(FAR, heat()))


def test_heat_with_time_left_is_clear() -> None:
    """No CPU was full."""
    scene = ordinary().seeing(NEAR, heat(events=5)).seeing(FAR, heat(events=5))
    assert Judgement.CLEAR is judged(CHECK, scene)


def test_no_counters_are_not_applicable() -> None:
    """A virtual machine."""
    assert Judgement.NOT_APPLICABLE is judged(CHECK, plainly_full().seeing(FAR, core(0, softirq=0.95)))


def test_unread_counters_are_unknown() -> None:
    """At one moment only they tell no growth."""
    assert Judgement.UNKNOWN is judged(CHECK, hot().lacking(NEAR, ThermalThrottling, "before"))
