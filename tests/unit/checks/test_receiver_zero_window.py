"""A receive window that is closed for a reason that is not seen."""

from dataclasses import replace

import pytest

from fullrate.checks.receiver_zero_window import CHECK
from fullrate.records.facts.net import ProtocolCounters, TcpSocket
from fullrate.records.finding import Confidence, Judgement
from unit.checks.build import FAR, NEAR, change, evidence, found, judged
from unit.checks.pairs import cpu, edited
from unit.checks.scenes_tcp import netstat, waiting


def test_closed_window_is_a_problem() -> None:
    """It was closed 40 times, and the queue is not full."""
    finding = found(CHECK, waiting(unread=1000))
    assert (Judgement.PROBLEM, FAR, Confidence.MEDIUM) == (finding.verdict, finding.end, finding.confidence)


def test_receiver_whose_socket_was_not_seen_is_still_a_problem() -> None:
    """The general cause is the honest answer."""
    scene = waiting().lacking(FAR, TcpSocket, "before", "after")
    assert Judgement.PROBLEM is judged(CHECK, scene)


def test_cost_is_what_waiting_took() -> None:
    """Held half of the time."""
    assert 300e6 == pytest.approx(found(CHECK, waiting(unread=1000)).costs_bps)


def test_cites_the_receivers_counter() -> None:
    """It counts its own closed windows."""
    assert ("ProtocolCounters", "+40") == evidence(found(CHECK, waiting(unread=1000)), "TcpExtTCPToZeroWindowAdv")


def test_wanted_but_not_advertised_counts_too() -> None:
    """The window was zero and could not be said in time."""
    scene = waiting(unread=1000, closed=0).seeing(FAR, netstat(TCPWantZeroWindowAdv=2))
    assert Judgement.PROBLEM is judged(CHECK, scene)


def test_full_queue_is_another_cause() -> None:
    """The program does not read."""
    assert Judgement.CLEAR is judged(CHECK, waiting())


def test_small_buffer_is_another_cause() -> None:
    """393,216 bytes are less than the 4.7 MB this path needs."""
    assert Judgement.CLEAR is judged(CHECK, waiting(unread=1000, size=393_216))


def test_full_cpu_is_another_cause() -> None:
    """The receiver has no time."""
    assert Judgement.CLEAR is judged(CHECK, waiting(unread=1000).seeing(FAR, cpu(0, 0.97)))


def test_memory_pressure_is_another_cause() -> None:
    """The kernel keeps windows small then."""
    scene = waiting(unread=1000).seeing(FAR, netstat(TCPToZeroWindowAdv=40, TCPMemoryPressures=1))
    assert Judgement.CLEAR is judged(CHECK, scene)


def test_window_that_never_closed_is_clear() -> None:
    """A near miss: it holds the flow back and is open."""
    assert Judgement.CLEAR is judged(CHECK, waiting(unread=1000, closed=0))


def test_window_that_holds_seldom_is_clear() -> None:
    """It may close now and then."""
    scene = change(waiting(unread=1000), NEAR, TcpSocket, lambda fact: edited(fact, receive_window_limited=1.0))
    assert Judgement.CLEAR is judged(CHECK, scene)


def test_full_link_is_clear() -> None:
    """The link is the limit."""
    assert Judgement.CLEAR is judged(CHECK, waiting(941e6, unread=1000))


def test_receiver_whose_counters_were_not_read_is_unknown() -> None:
    """They decide."""
    scene = waiting(unread=1000).lacking(FAR, ProtocolCounters, "before", "after")
    assert Judgement.UNKNOWN is judged(CHECK, scene)


def test_udp_alone_does_not_apply() -> None:
    """UDP has no window."""
    assert Judgement.NOT_APPLICABLE is judged(CHECK, replace(waiting(), protocol="udp"))
