"""NAPI threads that crowd on one CPU."""

import pytest

from fullrate.checks.napi_thread_pinned import CHECK
from fullrate.records.facts.processor import NapiThreading, RunningThread
from fullrate.records.finding import Confidence, Judgement
from unit.checks.build import CEILING, FAR, evidence, found, judged
from unit.checks.cpu_pairs import core, running
from unit.checks.scenes_cpu import softirq_bound, threaded


def test_two_threads_on_one_cpu_are_a_problem() -> None:
    """Both poll the receiver's link on CPU 0."""
    finding = found(CHECK, threaded())
    assert (Judgement.PROBLEM, FAR, "enp3s0") == (finding.verdict, finding.end, finding.subject)


def test_two_signs_make_it_sure() -> None:
    """A full CPU, and the threads that stay there."""
    assert Confidence.HIGH is found(CHECK, threaded()).confidence


def test_cost_is_what_a_cpu_each_would_carry() -> None:
    """The busier of the two has half of the CPU."""
    assert CEILING - 500e6 == pytest.approx(found(CHECK, threaded()).costs_bps)


def test_cost_of_unequal_threads() -> None:
    """One thread has 80 % of the CPU: alone it would carry 625 Mbit/s."""
    scene = threaded().seeing(FAR, running(785, "napi/enp3s0-8193", 0, 8), running(786, "napi/enp3s0-8194", 0, 1))
    assert 500e6 / 0.8 - 500e6 == pytest.approx(found(CHECK, scene).costs_bps)


def test_cites_each_thread() -> None:
    """With the time it used."""
    assert "+5 s of 10" == evidence(found(CHECK, threaded()), "napi/enp3s0-8193 on CPU 0")[1]


def test_remedy_leaves_one_thread() -> None:
    """The other one moves."""
    assert ["786"] == [remedy.subject for remedy in found(CHECK, threaded()).remedies]


def test_name_as_older_kernels_cut_it() -> None:
    """They show fifteen letters."""
    scene = threaded().seeing(FAR, running(786, "napi/enp3s0-819", 0, 4))
    assert Judgement.PROBLEM is judged(CHECK, scene)


def test_threads_on_two_cpus_are_clear() -> None:
    """A near miss."""
    assert Judgement.CLEAR is judged(CHECK, threaded(second=1))


def test_idle_thread_does_not_crowd() -> None:
    """A queue without packets."""
    assert Judgement.CLEAR is judged(CHECK, threaded().seeing(FAR, running(786, "napi/enp3s0-8194", 0, 0)))


def test_thread_of_another_link_does_not_crowd() -> None:
    """Its name tells."""
    scene = threaded().seeing(FAR, running(786, "napi/enp9s0-8194", 0, 4))
    assert Judgement.CLEAR is judged(CHECK, scene)


def test_no_idle_cpu_is_clear() -> None:
    """There is nowhere to go."""
    assert Judgement.CLEAR is judged(CHECK, threaded().seeing(FAR, core(1, user=0.7)))


def test_softirqs_are_not_applicable() -> None:
    """This link is not polled in threads."""
    assert Judgement.NOT_APPLICABLE is judged(CHECK, softirq_bound())


@pytest.mark.parametrize(("kind", "part"), [(NapiThreading, "facts"), (RunningThread, "after")])
def test_unread_threads_are_unknown(kind: type[NapiThreading | RunningThread], part: str) -> None:
    """Whether there are threads, and where they are."""
    assert Judgement.UNKNOWN is judged(CHECK, threaded().lacking(FAR, kind, part))
