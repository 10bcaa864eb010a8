"""Time that the hypervisor takes."""

import pytest

from fullrate.checks.cpu_steal import CHECK
from fullrate.records.facts.cpu import CpuTimes
from fullrate.records.finding import Confidence, Judgement
from unit.checks.build import CEILING, FAR, NEAR, evidence, found, healthy, judged
from unit.checks.cpu_pairs import core, full_cpu
from unit.checks.scenes_cpu import plainly_full, stolen


def test_stolen_time_is_a_problem() -> None:
    """30 % of the sender's CPU."""
    finding = found(CHECK, stolen())
    assert (Judgement.PROBLEM, NEAR, "cpu0") == (finding.verdict, finding.end, finding.subject)


def test_kernel_counts_the_victim() -> None:
    """So it is sure."""
    assert Confidence.HIGH is found(CHECK, stolen()).confidence


def test_cost_is_what_the_stolen_time_would_carry() -> None:
    """500 Mbit/s in 68 % of the time."""
    assert 500e6 / 0.68 - 500e6 == pytest.approx(found(CHECK, stolen()).costs_bps)


def test_cost_does_not_run_away() -> None:
    """With nearly all of the time stolen it ends at the ceiling."""
    assert CEILING - 500e6 == pytest.approx(found(CHECK, stolen(0.97)).costs_bps)


def test_cites_the_share() -> None:
    """As /proc/stat shows it."""
    assert evidence(found(CHECK, stolen()), "CPU 0 busy")[1].endswith("steal 30%")


def test_receiver_counts_too() -> None:
    """Either end may be a guest."""
    assert FAR is found(CHECK, full_cpu(system=0.6, steal=0.38)).end


def test_neighbours_visit_is_clear() -> None:
    """A near miss: 5 %."""
    assert Judgement.CLEAR is judged(CHECK, stolen(0.05))


def test_full_cpu_of_ones_own_is_clear() -> None:
    """Nobody takes anything."""
    assert Judgement.CLEAR is judged(CHECK, plainly_full())


def test_steal_on_a_cpu_with_time_left_is_clear() -> None:
    """It did not hold the test back."""
    assert Judgement.CLEAR is judged(CHECK, full_cpu(NEAR, system=0.3, steal=0.3))


def test_full_link_is_clear() -> None:
    """What is stolen was not needed."""
    assert Judgement.CLEAR is judged(CHECK, healthy().seeing(NEAR, core(0, system=0.6, steal=0.38)))


def test_unread_cpus_are_unknown() -> None:
    """Without /proc/stat nothing can be said."""
    assert Judgement.UNKNOWN is judged(CHECK, stolen().lacking(NEAR, CpuTimes, "after"))
