"""The CPU that holds an end back, and who uses it."""

from dataclasses import replace

import pytest

from fullrate.checks._common import clear
from fullrate.checks._cores import (
    at_ease,
    core,
    cost,
    foreign_user,
    gain,
    limit,
    main_trial,
    of_both,
    one_kernel,
    program_work,
    strangers,
    wants,
)
from fullrate.records.ends import End
from fullrate.records.facts.cpu import CpuTimes
from fullrate.records.facts.net import HostIdentity
from fullrate.records.facts.processor import RunningThread, ThreadTimes
from fullrate.records.finding import Finding, Judgement
from fullrate.records.trial import Trial
from fullrate.records.view import EndView, Missing, View
from unit.checks.build import CEILING, FAR, NEAR, Scene, healthy
from unit.checks.cpu_pairs import core as cpu
from unit.checks.cpu_pairs import full_cpu, ordinary, running, thread
from unit.checks.pairs import Pair

MIXED = full_cpu(softirq=0.3, irq=0.1, system=0.2, user=0.15, nice=0.05, steal=0.12)


def names(scene: Scene) -> list[str]:
    """The strangers on the receiver's CPU 0."""
    view = scene.view()
    return [work.name for work in strangers(view, view.trial(), view.receiver, "0")]


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


def test_work_of_the_program() -> None:
    """Threads by their share, the busiest first."""
    scene = ordinary().seeing(FAR, thread(1, 0.2, tid=78), thread(0, 0.6, user=0.5))
    view = scene.view()
    found = program_work(view.window(view.trial(), view.receiver))
    assert [("77", 0.6, 0.3, True), ("78", 0.2, 0.0, True)] == [
        (work.tid, work.share, round(work.user, 2), work.stayed) for work in found
    ]


def wanting(least: float, *pairs: Pair) -> bool:
    """Whether the receiver's test wanted so much of its CPU 0, 10 % of which went to softirqs."""
    view = full_cpu(softirq=0.1, system=0.85).seeing(FAR, *pairs).view()
    found = core(view, view.trial(), view.receiver)
    return wants(view, view.trial(), view.receiver, found, least)


def test_wanted_share_of_a_cpu() -> None:
    """Softirqs 10 %, running 20 %, waiting 40 %."""
    assert [True, False] == [wanting(least, thread(0, 0.2, waited=0.4)) for least in (0.69, 0.71)]


def test_thread_elsewhere_wants_nothing_here() -> None:
    """It ran on CPU 1 at both readings."""
    assert not wanting(0.2, thread(1, 0.9))


def test_thread_that_moved_may_have_been_here() -> None:
    """It ends on CPU 1 and began on CPU 0."""
    assert wanting(0.7, thread(1, 0.9, was=0))


def test_uncounted_waiting_is_missing_where_it_decides() -> None:
    """Running alone is enough, or it is not known."""
    assert wanting(0.3, thread(0, 0.3, waited=None))
    with pytest.raises(Missing, match="ThreadTimes"):
        wanting(0.7, thread(0, 0.3, waited=None))


def test_unseen_program_is_missing() -> None:
    """Read once only, its time is not known."""
    view = ordinary().lacking(FAR, ThreadTimes, "before").view()
    with pytest.raises(Missing, match="ThreadTimes"):
        program_work(view.window(view.trial(), view.receiver))


def test_strangers_on_a_cpu() -> None:
    """By the time they used; the program and the kernel's softirq threads are none."""
    scene = ordinary().seeing(FAR, running(5, "rsync", 0, 2), running(6, "bash", 0, 4), running(7, "dd", 1, 9))
    assert ["bash", "rsync"] == names(scene)


def test_passing_thread_is_no_stranger() -> None:
    """It was elsewhere at the first reading."""
    assert [] == names(ordinary().seeing(FAR, running(5, "rsync", 0, 2, was=1)))


def test_unread_list_is_missing() -> None:
    """Nobody can be named."""
    with pytest.raises(Missing, match="RunningThread"):
        names(ordinary().lacking(FAR, RunningThread, "after"))


def test_user_time_of_others() -> None:
    """20 % of user time, of which the program has 5."""
    scene = full_cpu(system=0.7, user=0.2).seeing(FAR, thread(0, 0.5, user=0.1))
    view = scene.view()
    found = core(view, view.trial(), view.receiver)
    assert 0.15 == pytest.approx(foreign_user(view, view.trial(), view.receiver, found))


def test_ends_on_one_kernel() -> None:
    """By the boot id; the kernel's version says nothing."""
    same = ordinary().lacking(FAR, HostIdentity, "facts").having(FAR, HostIdentity(boot_id="boot-a"))
    assert [True, False] == [one_kernel(scene.view()) for scene in (same, ordinary())]


def test_unknown_boot_is_missing() -> None:
    """Whether they share CPUs cannot be told."""
    with pytest.raises(Missing, match="HostIdentity"):
        one_kernel(ordinary().lacking(FAR, HostIdentity, "facts").view())


def test_clear_verdict_of_an_idle_end() -> None:
    """Looked for and not there."""
    view = ordinary().view()
    assert Judgement.CLEAR is at_ease("cpu-steal", view, view.trial(), view.sender).verdict
