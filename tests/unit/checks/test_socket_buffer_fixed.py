"""Socket buffers that do not grow."""

from dataclasses import replace

import pytest

from fullrate.checks.socket_buffer_fixed import CHECK
from fullrate.checks.tcp_buffers_too_small import CHECK as TOO_SMALL
from fullrate.records.facts.net import Sysctl, TcpSocket
from fullrate.records.finding import Confidence, Judgement
from unit.checks.build import CEILING, FAR, NEAR, change, evidence, found, judged, on_ipv6
from unit.checks.pairs import edited
from unit.checks.scenes_tcp import fixed, fixed_sender


def test_autotuning_switched_off_is_a_problem() -> None:
    """tcp_moderate_rcvbuf is 0."""
    finding = found(CHECK, fixed())
    assert (Judgement.PROBLEM, FAR, Confidence.HIGH) == (finding.verdict, finding.end, finding.confidence)
    assert "a socket buffer of 393,216 bytes does not grow: net.ipv4.tcp_moderate_rcvbuf is 0" == finding.summary


def test_remedy_switches_it_on_and_back() -> None:
    """Exactly."""
    (remedy,) = found(CHECK, fixed()).remedies
    assert ("sysctl -w net.ipv4.tcp_moderate_rcvbuf=1",) == remedy.commands
    assert ("sysctl -w net.ipv4.tcp_moderate_rcvbuf=0",) == remedy.undo


def test_program_that_set_the_size_is_less_sure() -> None:
    """Autotuning is on, and the buffer does not grow: only the program can have fixed it."""
    finding = found(CHECK, fixed(moderate="1"))
    assert (Judgement.PROBLEM, Confidence.MEDIUM, ()) == (finding.verdict, finding.confidence, finding.remedies)
    assert "net.ipv4.tcp_rmem" == finding.subject


def test_cost_is_the_ceiling_minus_window_over_rtt() -> None:
    """187,500 x 8 / 20 ms = 75 Mbit/s."""
    assert CEILING - 75e6 == pytest.approx(found(CHECK, fixed(70e6)).costs_bps)


def test_cites_buffer_need_and_limit() -> None:
    """What it was, what it should be, what it may be."""
    finding = found(CHECK, fixed())
    assert ("sockets 5201", "393216, later 393216") == evidence(finding, "buffer, bytes")
    assert ("arithmetic", "4707412") == evidence(finding, "bytes needed")
    assert ("run sysctl -e", "4096 131072 6291456") == evidence(finding, "net.ipv4.tcp_rmem")


def test_setting_too_small_is_clear() -> None:
    """A near miss: tcp_rmem itself is the limit; the other check names it."""
    scene = fixed().having(FAR, Sysctl(subject="net.ipv4.tcp_rmem", value="4096 131072 393216"))
    assert (Judgement.CLEAR, Judgement.PROBLEM) == (judged(CHECK, scene), judged(TOO_SMALL, scene))


def test_other_check_leaves_a_fixed_buffer_alone() -> None:
    """One of the two speaks."""
    assert Judgement.CLEAR is judged(TOO_SMALL, fixed())


def test_growing_buffer_is_clear() -> None:
    """A near miss: autotuning is at work."""
    scene = change(fixed(), FAR, TcpSocket, lambda fact: edited(fact, receive_buffer=262_144), parts=("before",))
    assert Judgement.CLEAR is judged(CHECK, scene)


def test_large_fixed_buffer_is_clear() -> None:
    """5 MB are what the path needs."""
    parts = ("before", "after")
    scene = change(fixed(), FAR, TcpSocket, lambda fact: edited(fact, receive_buffer=5_000_000), parts=parts)
    assert Judgement.CLEAR is judged(CHECK, scene)


def test_program_that_does_not_read_is_clear() -> None:
    """A near miss: the buffer is full of what it left."""
    parts = ("before", "after")
    scene = change(fixed(), FAR, TcpSocket, lambda fact: edited(fact, recv_queue=200_000), parts=parts)
    assert Judgement.CLEAR is judged(CHECK, scene)


def test_senders_fixed_buffer_is_a_problem() -> None:
    """It is full, and both windows would take more."""
    finding = found(CHECK, fixed_sender())
    assert (Judgement.PROBLEM, NEAR, "net.ipv4.tcp_wmem") == (finding.verdict, finding.end, finding.subject)
    assert CEILING - 75e6 == pytest.approx(finding.costs_bps)


def test_kernels_clock_of_the_send_buffer_counts() -> None:
    """Held back eight of ten seconds."""
    held = {"send_buffer_limited": 8.0, "not_sent": 90_000}
    scene = change(fixed_sender(), NEAR, TcpSocket, lambda fact: edited(fact, **held))
    assert (Judgement.PROBLEM, NEAR) == (judged(CHECK, scene), found(CHECK, scene).end)


def test_flow_that_is_not_held_back_is_clear() -> None:
    """A fixed buffer that is never the limit."""
    scene = change(fixed(), NEAR, TcpSocket, lambda fact: edited(fact, receive_window_limited=1.0))
    assert Judgement.CLEAR is judged(CHECK, scene)


def test_full_link_is_clear() -> None:
    """The link is the limit."""
    assert Judgement.CLEAR is judged(CHECK, fixed(941e6))


def test_ipv6_needs_the_same() -> None:
    """The keys say ipv4 and hold for both."""
    assert Judgement.PROBLEM is judged(CHECK, on_ipv6(fixed()))


@pytest.mark.parametrize(
    "scene", [fixed().lacking(FAR, TcpSocket, "before", "after"), fixed().lacking(FAR, Sysctl, "facts")]
)
def test_missing_socket_or_setting_is_unknown(scene: object) -> None:
    """Both decide."""
    assert Judgement.UNKNOWN is judged(CHECK, scene)  # type: ignore[arg-type]


def test_udp_alone_does_not_apply() -> None:
    """UDP has no window."""
    assert Judgement.NOT_APPLICABLE is judged(CHECK, replace(fixed(), protocol="udp"))
