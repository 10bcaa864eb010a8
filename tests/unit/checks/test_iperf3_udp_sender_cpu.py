"""UDP senders whose thread is full."""

from dataclasses import replace

import pytest

from fullrate.checks.iperf3_udp_sender_cpu import CHECK
from fullrate.records.facts.processor import ThreadTimes
from fullrate.records.finding import Judgement
from fullrate.records.trial import Trial
from unit.checks.build import CEILING, FAR, NEAR, Scene, evidence, found, judged
from unit.checks.cpu_pairs import ordinary, thread
from unit.checks.scenes_cpu import datagrams
from unit.checks.scenes_tcp import udp


def limited(scene: Scene, rate: float) -> Judgement:
    """The verdict when so many bits a second were asked for."""
    view = scene.view()
    trials: tuple[Trial, ...] = tuple(replace(trial, spec=replace(trial.spec, rate=rate)) for trial in view.trials)
    return CHECK.diagnose(replace(view, trials=trials)).verdict


def test_full_sending_thread_is_a_problem() -> None:
    """98 % of a CPU at 580 Mbit/s."""
    finding = found(CHECK, datagrams())
    assert (Judgement.PROBLEM, NEAR, "iperf3") == (finding.verdict, finding.end, finding.subject)


def test_cost_is_what_the_last_tick_cannot_carry() -> None:
    """592 Mbit/s at the very most."""
    assert CEILING - 580e6 / 0.98 == pytest.approx(found(CHECK, datagrams()).costs_bps)


def test_cites_the_thread() -> None:
    """By its share."""
    assert "98% of CPU 0" == evidence(found(CHECK, datagrams()), "thread 77 iperf3")[1]


def test_rate_below_the_one_asked_for_is_a_problem() -> None:
    """580 of 900 Mbit/s."""
    assert Judgement.PROBLEM is limited(datagrams(), 900e6)


def test_rate_that_was_reached_is_clear() -> None:
    """A near miss: it sends all that was asked for."""
    assert Judgement.CLEAR is limited(datagrams(), 590e6)


def test_what_was_sent_counts_not_what_arrived() -> None:
    """A near miss: it sent the 900 Mbit/s that were asked for, and a third was lost."""
    assert Judgement.CLEAR is limited(udp(datagrams(), lost=0.35, sent=900e6), 900e6)


def test_thread_with_time_left_is_clear() -> None:
    """A near miss: 85 %."""
    assert Judgement.CLEAR is judged(CHECK, datagrams(share=0.85))


def test_full_receiver_is_clear() -> None:
    """It is the sender's cause."""
    assert Judgement.CLEAR is judged(CHECK, datagrams(share=0.5).seeing(FAR, thread(0, 0.99)))


def test_full_link_is_clear() -> None:
    """One thread was enough."""
    assert Judgement.CLEAR is judged(CHECK, replace(datagrams(), rate=941e6))


def test_tcp_is_not_applicable() -> None:
    """No datagram was sent."""
    assert Judgement.NOT_APPLICABLE is judged(CHECK, ordinary())


def test_unread_threads_are_unknown() -> None:
    """Their time decides."""
    assert Judgement.UNKNOWN is judged(CHECK, datagrams().lacking(NEAR, ThreadTimes, "before"))
