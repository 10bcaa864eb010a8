"""The CPU that holds an end back, and what a whole one would carry."""

from dataclasses import replace

import pytest

from fullrate.checks._common import clear
from fullrate.checks._cores import at_ease, core, cost, gain, limit, main_trial, of_both
from fullrate.records.ends import End
from fullrate.records.facts.cpu import CpuTimes
from fullrate.records.facts.processor import ThreadTimes
from fullrate.records.finding import Finding, Judgement
from fullrate.records.trial import Trial
from fullrate.records.view import EndView, Missing, View
from unit.checks.build import CEILING, FAR, NEAR, Scene, healthy
from unit.checks.cpu_pairs import core as cpu
from unit.checks.cpu_pairs import full_cpu, ordinary, thread
from unit.checks.scenes_cpu import queued

MIXED = full_cpu(softirq=0.3, irq=0.1, system=0.2, user=0.15, nice=0.05, steal=0.12)


def test_shares_are_told_apart() -> None:
    """Interrupts count with softirqs, nice with user."""
    view = MIXED.view()
    found = core(view, view.trial(), view.receiver)
    shares = (found.busy, found.softirq, found.system, found.user, found.steal)
    assert (0.92, 0.4, 0.2, 0.2, 0.12) == pytest.approx(shares)


def test_saturated_cpu_is_the_limit() -> None:
    """92 % busy, and the link has room."""
    view = MIXED.view()
    assert "0" == getattr(limit(view, view.trial(), view.receiver), "cpu", None)


@pytest.mark.parametrize("scene", [ordinary(), healthy().seeing(FAR, cpu(0, system=0.98))])
def test_no_limit(scene: Scene) -> None:
    """Time left, or a full link."""
    view = scene.view()
    assert None is limit(view, view.trial(), view.receiver)


@pytest.mark.parametrize(
    ("scene", "expected"),
    [
        (queued(0.75, waited=0.3), "0"),
        (queued(0.74, waited=0.9), None),
        (queued(0.89, waited=0.29), None),
        (queued(0.89, waited=None), None),
        (queued(0.9, waited=None), "0"),
    ],
    ids=["in line", "room", "hardly waits", "not counted", "full"],
)
def test_program_that_stands_in_line_shows_a_full_cpu(scene: Scene, expected: str | None) -> None:
    """Three tenths of the time, for a CPU that is busy for three quarters of it."""
    view = scene.view()
    assert expected == getattr(limit(view, view.trial(), view.receiver), "cpu", None)


def test_program_in_line_for_another_cpu_says_nothing_of_this_one() -> None:
    """Its own is CPU 1."""
    view = queued().seeing(FAR, thread(1, 0.04, waited=0.84)).view()
    assert None is limit(view, view.trial(), view.receiver)


def test_nearly_full_cpu_is_open_without_the_programs_threads() -> None:
    """Whether they waited is what decides."""
    view = queued().lacking(FAR, ThreadTimes, "before").view()
    with pytest.raises(Missing):
        limit(view, view.trial(), view.receiver)


def test_full_link_needs_no_cpus() -> None:
    """Whatever they did."""
    view = healthy().lacking(FAR, CpuTimes, "before", "after").view()
    assert None is limit(view, view.trial(), view.receiver)


def test_at_ease_says_which_end() -> None:
    """No CPU there is saturated."""
    view = ordinary().view()
    assert FAR is at_ease("cpu-steal", view, view.trial(), view.receiver).end


def test_at_ease_on_a_full_link_is_about_both() -> None:
    """It names none."""
    view = healthy().view()
    assert None is at_ease("cpu-steal", view, view.trial(), view.receiver).end


def test_both_ends_are_asked() -> None:
    """Once each, the sender first."""
    asked: list[End] = []

    def judge(_view: View, _trial: Trial, end: EndView) -> Finding:
        asked.append(end.end)
        return clear("cpu-steal", "no")

    of_both(ordinary().view(), judge)
    assert [NEAR, FAR] == asked


def test_udp_is_tested_where_nothing_else_was_sent() -> None:
    """Its trial is the one to judge."""
    assert "udp" == main_trial(replace(ordinary(), protocol="udp").view()).spec.protocol


def test_gain_of_a_share() -> None:
    """Half of a CPU carries 300: a whole one 600."""
    view = ordinary(300e6).view()
    assert 300e6 == pytest.approx(gain(view, view.trial(), 0.5))


def test_gain_ends_at_the_ceiling() -> None:
    """A share of nothing would be endless."""
    view = ordinary(300e6).view()
    assert CEILING - 300e6 == pytest.approx(gain(view, view.trial(), 0.0))


def test_gain_does_not_run_away() -> None:
    """Twenty times what was seen at the very most."""
    view = ordinary(1e6).view()
    assert 19e6 == pytest.approx(gain(view, view.trial(), 0.001))


def test_cost_of_a_full_cpu() -> None:
    """What its last tick cannot carry."""
    view = MIXED.view()
    assert CEILING - 500e6 / 0.92 == pytest.approx(cost(view, view.trial(), core(view, view.trial(), view.receiver)))


def test_clear_verdict_of_an_idle_end() -> None:
    """Looked for and not there."""
    view = ordinary().view()
    assert Judgement.CLEAR is at_ease("cpu-steal", view, view.trial(), view.sender).verdict
