"""A receiving program that reads too slowly."""

from dataclasses import replace

import pytest

from fullrate.checks.app_not_draining_socket import CHECK
from fullrate.checks.receiver_zero_window import CHECK as ZERO_WINDOW
from fullrate.records.facts.net import TcpSocket
from fullrate.records.finding import Confidence, Judgement
from unit.checks.build import FAR, NEAR, change, evidence, found, judged
from unit.checks.pairs import cpu, edited, quota
from unit.checks.scenes_tcp import sampled, waiting


def test_full_queue_and_free_cpu_is_a_problem() -> None:
    """2 MB lie unread at both readings."""
    finding = found(CHECK, waiting())
    assert (Judgement.PROBLEM, FAR, Confidence.HIGH) == (finding.verdict, finding.end, finding.confidence)
    assert "10.0.0.2:5201 10.0.0.1:40000" == finding.subject


def test_cost_is_what_waiting_took() -> None:
    """Unread in six samples of ten: the queue was not full for the other 0.4, which carry 300 Mbit/s."""
    queues = [2_000_000] * 6 + [0] * 4
    assert 450e6 == pytest.approx(found(CHECK, sampled(*queues)).costs_bps)


def test_cost_stays_below_the_ceiling() -> None:
    """Twice 600 Mbit/s do not fit."""
    assert 341_482_445 == pytest.approx(found(CHECK, waiting(600e6)).costs_bps, rel=1e-6)


def test_cites_clock_and_queue() -> None:
    """The sender's clock, the receiver's queue."""
    finding = found(CHECK, waiting())
    assert ("sockets 5201", "50% of the time") == evidence(finding, "rwnd_limited")
    assert "in 2 of 2 samples; at most 2000000 of 6291456 bytes" == evidence(finding, "half of the receive")[1]


def test_queue_that_was_full_once_is_clear() -> None:
    """A near miss: at the first reading the program had read everything."""
    scene = change(waiting(), FAR, TcpSocket, lambda fact: edited(fact, recv_queue=0), parts=("before",))
    assert Judgement.CLEAR is judged(CHECK, scene)


def test_program_that_reads_is_clear() -> None:
    """A near miss: the window is closed, the queue is not full."""
    assert Judgement.CLEAR is judged(CHECK, waiting(unread=1_500_000))


def test_full_cpu_of_the_receiver_is_not_the_programs_fault() -> None:
    """A near miss: it has no time to read."""
    assert Judgement.CLEAR is judged(CHECK, waiting().seeing(FAR, cpu(0, 0.97)))


def test_quota_of_the_receiver_is_not_the_programs_fault() -> None:
    """A near miss: it is stopped in every fifth period."""
    scene = waiting().seeing(FAR, *quota("/system.slice", 0.2, throttled=20, stopped=2.0))
    assert Judgement.CLEAR is judged(CHECK, scene)


def test_window_that_holds_seldom_is_clear() -> None:
    """A tenth of the time."""
    scene = change(waiting(), NEAR, TcpSocket, lambda fact: edited(fact, receive_window_limited=1.0))
    assert Judgement.CLEAR is judged(CHECK, scene)


def test_full_link_is_clear() -> None:
    """What holds back a full link is the link."""
    assert Judgement.CLEAR is judged(CHECK, waiting(941e6))


def test_general_cause_yields() -> None:
    """One of the two speaks."""
    assert Judgement.CLEAR is judged(ZERO_WINDOW, waiting())


def test_receiver_that_was_not_seen_is_unknown() -> None:
    """Its queue decides."""
    assert Judgement.UNKNOWN is judged(CHECK, waiting().lacking(FAR, TcpSocket, "before", "after"))


def test_udp_alone_does_not_apply() -> None:
    """UDP has no window."""
    assert Judgement.NOT_APPLICABLE is judged(CHECK, replace(waiting(), protocol="udp"))
