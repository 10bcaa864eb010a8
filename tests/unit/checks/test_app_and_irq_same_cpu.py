"""The reader and its softirqs on one full CPU."""

import pytest

from fullrate.checks.app_and_irq_same_cpu import CHECK
from fullrate.records.facts.cpu import ProcessPlacement
from fullrate.records.finding import Confidence, Judgement
from unit.checks.build import CEILING, FAR, evidence, found, healthy, judged
from unit.checks.cpu_pairs import allowed, core, full_cpu, thread
from unit.checks.scenes_cpu import crowded, hogged, softirq_bound


def test_shared_cpu_is_a_problem() -> None:
    """Half and half, while CPU 1 is idle."""
    finding = found(CHECK, crowded())
    assert (Judgement.PROBLEM, FAR, "cpu0") == (finding.verdict, finding.end, finding.subject)


def test_two_signs_make_it_sure() -> None:
    """The CPU's shares, and where the thread stays."""
    assert Confidence.HIGH is found(CHECK, crowded()).confidence


def test_cost_is_what_the_larger_half_would_carry_alone() -> None:
    """60 % of a CPU carry 500 Mbit/s: a whole one 833."""
    scene = full_cpu(softirq=0.38, system=0.6, own=0.6)
    assert 500e6 / 0.6 - 500e6 == pytest.approx(found(CHECK, scene).costs_bps)


def test_cost_ends_at_the_ceiling() -> None:
    """Halves would carry 1 Gbit/s."""
    assert CEILING - 500e6 == pytest.approx(found(CHECK, crowded()).costs_bps)


def test_cites_the_thread() -> None:
    """By its number, name and CPU."""
    assert "48% of CPU 0" == evidence(found(CHECK, crowded()), "thread 77 iperf3")[1]


def test_remedy_moves_the_program() -> None:
    """To every other CPU, and back to where it was allowed."""
    (remedy,) = found(CHECK, crowded()).remedies
    assert 'taskset -cp "$(seq 0 $(($(nproc --all) - 1)) | grep -vx 0 | paste -sd,)" 77' == remedy.commands[1]


def test_program_that_may_not_leave_is_clear() -> None:
    """A near miss: it is pinned to CPU 0, as in a laboratory."""
    assert Judgement.CLEAR is judged(CHECK, crowded().seeing(FAR, allowed(0)))


def test_no_idle_cpu_is_clear() -> None:
    """There is nowhere to go."""
    assert Judgement.CLEAR is judged(CHECK, crowded().seeing(FAR, core(1, user=0.6)))


def test_thread_that_moves_is_clear() -> None:
    """The scheduler does what it can."""
    assert Judgement.CLEAR is judged(CHECK, crowded().seeing(FAR, thread(0, 0.48, was=1)))


def test_small_part_of_the_program_is_clear() -> None:
    """It does most of its work elsewhere."""
    assert Judgement.CLEAR is judged(CHECK, full_cpu(softirq=0.6, system=0.35, own=0.1))


def test_softirqs_alone_are_another_cause() -> None:
    """They would fill the CPU without the program."""
    assert Judgement.CLEAR is judged(CHECK, softirq_bound())


def test_stranger_is_another_cause() -> None:
    """Neither of the two is the trouble."""
    assert Judgement.CLEAR is judged(CHECK, hogged())


def test_full_link_is_clear() -> None:
    """Shared, and fast enough."""
    assert Judgement.CLEAR is judged(CHECK, healthy().seeing(FAR, core(0, softirq=0.5, system=0.48)))


def test_unread_placement_is_unknown() -> None:
    """Where it may run decides."""
    assert Judgement.UNKNOWN is judged(CHECK, crowded().lacking(FAR, ProcessPlacement, "before", "after"))
