"""Who uses the CPU that holds an end back."""

import pytest

from fullrate.checks._cores import core
from fullrate.checks._cpu import one_kernel
from fullrate.checks._work import foreign_user, program_work, strangers, wants
from fullrate.records.facts.net import HostIdentity
from fullrate.records.facts.processor import RunningThread, ThreadTimes
from fullrate.records.view import Missing
from unit.checks.build import FAR, Scene
from unit.checks.cpu_pairs import full_cpu, ordinary, running, thread
from unit.checks.pairs import Pair


def names(scene: Scene) -> list[str]:
    """The strangers on the receiver's CPU 0."""
    view = scene.view()
    return [work.name for work in strangers(view, view.trial(), view.receiver, "0")]


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
