"""A lowered limit of TCP's own queues."""

from dataclasses import replace

import pytest

from fullrate.checks.tcp_small_queues import CHECK
from fullrate.records.facts.net import Sysctl, TcpSocket
from fullrate.records.finding import Confidence, Judgement
from unit.checks.build import NEAR, change, evidence, found, judged
from unit.checks.pairs import cpu, edited
from unit.checks.scenes_tcp import small_queues

KEY = "net.ipv4.tcp_limit_output_bytes"


def test_lowered_limit_with_open_windows_is_a_problem() -> None:
    """16 kB; half of the window is in flight, and data waits."""
    finding = found(CHECK, small_queues())
    assert (Judgement.PROBLEM, NEAR, KEY) == (finding.verdict, finding.end, finding.subject)
    assert Confidence.MEDIUM is finding.confidence


def test_cost_is_what_the_window_would_let_go() -> None:
    """Half in flight: twice 300 Mbit/s."""
    assert 300e6 == pytest.approx(found(CHECK, small_queues()).costs_bps)


def test_smaller_window_of_the_peer_counts() -> None:
    """800 of 1,036 segments' worth are in flight: 388.5 Mbit/s."""
    parts = ("before", "after")
    scene = change(small_queues(), NEAR, TcpSocket, lambda fact: edited(fact, send_window=1_500_000), parts=parts)
    assert 300e6 / (800 * 1448 / 1_500_000) - 300e6 == pytest.approx(found(CHECK, scene).costs_bps)


def test_cites_limit_and_flight() -> None:
    """The setting, and how much of the window is used."""
    finding = found(CHECK, small_queues())
    assert ("run sysctl -e", "16384") == evidence(finding, KEY)
    assert ("sockets 5201", "50%") == evidence(finding, "in flight of the window")


def test_remedy_is_the_default_and_back() -> None:
    """Exactly."""
    (remedy,) = found(CHECK, small_queues()).remedies
    assert (f"sysctl -w {KEY}=1048576",) == remedy.commands
    assert (f"sysctl -w {KEY}=16384",) == remedy.undo


@pytest.mark.parametrize("size", [131_072, 262_144, 1_048_576, 4_194_304])
def test_every_default_there_was_is_clear(size: int) -> None:
    """A near miss: an old kernel is not tuned wrongly."""
    assert Judgement.CLEAR is judged(CHECK, small_queues(size))


def test_full_window_is_another_cause() -> None:
    """A near miss: 1,500 of 1,600 segments are in flight."""
    assert Judgement.CLEAR is judged(CHECK, small_queues(flight=1500))


def test_nothing_waiting_is_another_cause() -> None:
    """A near miss: the program has written nothing more."""
    assert Judgement.CLEAR is judged(CHECK, small_queues(not_sent=1448))


def test_pacing_is_another_cause() -> None:
    """A near miss: BBR holds data back on purpose."""
    scene = change(small_queues(), NEAR, TcpSocket, lambda fact: edited(fact, congestion_control="bbr"))
    assert Judgement.CLEAR is judged(CHECK, scene)


def test_full_cpu_is_another_cause() -> None:
    """A near miss: nobody has time to send."""
    assert Judgement.CLEAR is judged(CHECK, small_queues().seeing(NEAR, cpu(0, 0.97)))


def test_full_link_is_clear() -> None:
    """It costs nothing."""
    assert Judgement.CLEAR is judged(CHECK, replace(small_queues(), rate=941e6))


@pytest.mark.parametrize("field", ["unacknowledged", "not_sent", "congestion_window"])
def test_field_that_the_kernel_left_out_is_unknown(field: str) -> None:
    """None is not zero."""
    scene = change(small_queues(), NEAR, TcpSocket, lambda fact: edited(fact, **{field: None}))
    assert Judgement.UNKNOWN is judged(CHECK, scene)


def test_setting_that_was_not_read_is_unknown() -> None:
    """It decides."""
    assert Judgement.UNKNOWN is judged(CHECK, small_queues().lacking(NEAR, Sysctl, "facts"))


def test_udp_alone_does_not_apply() -> None:
    """The limit is TCP's."""
    assert Judgement.NOT_APPLICABLE is judged(CHECK, replace(small_queues(), protocol="udp"))
