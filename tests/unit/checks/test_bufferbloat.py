"""A queue of the sender that is too long."""

from dataclasses import replace

import pytest

from fullrate.checks.bufferbloat import CHECK
from fullrate.records.facts.net import TcpSocket
from fullrate.records.facts.qdisc import Qdisc
from fullrate.records.finding import Confidence, Judgement
from unit.checks.build import NEAR, change, evidence, found, judged, on_loopback
from unit.checks.pairs import edited
from unit.checks.scenes import shaped
from unit.checks.scenes_tcp import bloated, flow, path


def test_long_queue_of_a_shaper_is_a_problem_of_delay() -> None:
    """1 MB at 20 Mbit/s are 400 ms; it costs no rate."""
    finding = found(CHECK, bloated())
    assert (Judgement.PROBLEM, NEAR, "enp1s0") == (finding.verdict, finding.end, finding.subject)
    assert (0.0, Confidence.MEDIUM) == (finding.costs_bps, finding.confidence)
    assert "the queue of tbf on enp1s0 adds 399 ms to every packet behind it" == finding.summary


def test_cites_rise_and_queue() -> None:
    """Both in milliseconds."""
    finding = found(CHECK, bloated())
    assert ("sockets 5201", "399.0") == evidence(finding, "rtt above min_rtt")
    assert ("run tc -s -json qdisc show", "400.0") == evidence(finding, "tbf full queue")


def test_latency_stands_for_the_limit() -> None:
    """Tc shows the one in place of the other."""
    scene = shaped(19e6, 20e6, limit=None, latency=0.4).seeing(NEAR, flow(19e6, rtt=0.4, start={"min_rtt": 0.001}))
    assert Judgement.PROBLEM is judged(CHECK, scene)


@pytest.mark.parametrize(("rtt", "verdict"), [(0.102, Judgement.PROBLEM), (0.1, Judgement.CLEAR)])
def test_a_tenth_of_a_second_is_long(rtt: float, verdict: Judgement) -> None:
    """Above the smallest RTT of 1 ms."""
    assert verdict is judged(CHECK, bloated(rtt))


def test_delay_of_the_path_is_clear() -> None:
    """A near miss: the queue here takes 20 ms at most."""
    assert Judgement.CLEAR is judged(CHECK, bloated(limit=50_000))


def test_delay_without_a_shaper_here_is_clear() -> None:
    """A near miss: some router's queue."""
    assert Judgement.CLEAR is judged(CHECK, path(19e6, rtt=0.4, start={"min_rtt": 0.001}))


def test_long_path_is_clear() -> None:
    """200 ms without load, too."""
    assert Judgement.CLEAR is judged(CHECK, path(rtt=0.21, start={"min_rtt": 0.2}))


def test_full_lab_link_is_clear() -> None:
    """30 ms in the queue of a healthy 1 Gbit/s link (measured)."""
    assert Judgement.CLEAR is judged(CHECK, path(941e6, rtt=0.030, start={"min_rtt": 0.00003}))


@pytest.mark.parametrize("field", ["rtt", "min_rtt"])
def test_field_that_the_kernel_left_out_is_unknown(field: str) -> None:
    """None is not zero."""
    scene = change(bloated(), NEAR, TcpSocket, lambda fact: edited(fact, **{field: None}))
    assert Judgement.UNKNOWN is judged(CHECK, scene)


def test_queue_that_was_not_read_is_unknown() -> None:
    """It may be the one."""
    assert Judgement.UNKNOWN is judged(CHECK, bloated().lacking(NEAR, Qdisc, "before", "after"))


@pytest.mark.parametrize("scene", [on_loopback(bloated()), replace(bloated(), protocol="udp")], ids=["loopback", "udp"])
def test_without_a_link_of_tcp_it_does_not_apply(scene: object) -> None:
    """No RTT to look at."""
    assert Judgement.NOT_APPLICABLE is judged(CHECK, scene)  # type: ignore[arg-type]
