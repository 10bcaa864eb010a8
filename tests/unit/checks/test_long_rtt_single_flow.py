"""One flow on a long path."""

from dataclasses import replace

import pytest

from fullrate.checks.long_rtt_single_flow import CHECK
from fullrate.records.facts.net import TcpSocket
from fullrate.records.finding import Confidence, Judgement
from unit.checks.build import NEAR, asked, change, evidence, found, judged, on_ipv6, on_loopback
from unit.checks.pairs import cpu, edited
from unit.checks.scenes_tcp import capped, far_away, flow, path


def test_several_flows_that_fill_the_path_prove_it() -> None:
    """300 Mbit/s with one, 940 with four."""
    finding = found(CHECK, far_away())
    assert (Judgement.PROBLEM, "path", Confidence.HIGH) == (finding.verdict, finding.subject, finding.confidence)
    assert "one flow cannot fill this path of 50 ms; 4 flows carry more" == finding.summary


def test_several_flows_that_carry_more_are_less_sure() -> None:
    """Something else may limit them."""
    assert Confidence.MEDIUM is found(CHECK, far_away(many=600e6)).confidence


def test_cost_is_what_they_carried_beyond() -> None:
    """940 - 300, never above the ceiling."""
    assert 640e6 == pytest.approx(found(CHECK, far_away()).costs_bps)
    assert 641_482_445 == pytest.approx(found(CHECK, far_away(many=2e9)).costs_bps, rel=1e-6)


def test_cites_rtt_window_and_time() -> None:
    """941.48 Mbit/s x 50 ms / 8 / 1448 = 4,064 segments; cbrt(0.3 x 4064 / 0.4) = 14.5 s."""
    finding = found(CHECK, far_away())
    assert ("trial/t1", "50.0") == evidence(finding, "min_rtt")
    assert ("arithmetic", "4064") == evidence(finding, "segments in flight needed")
    assert ("arithmetic", "14.5") == evidence(finding, "seconds to regain")


def test_asks_for_several_flows() -> None:
    """The proof is a test with four."""
    (ask,) = asked(CHECK, far_away(many=None))
    assert ask.trial is not None
    assert ("tcp", 4) == (ask.trial.protocol, ask.trial.streams)


@pytest.mark.parametrize(("rtt", "asks"), [(0.0160, 0), (0.0166, 1)], ids=["9.9 s", "10.04 s"])
def test_ten_seconds_are_long(rtt: float, asks: int) -> None:
    """1,300 segments are regained in 9.9 s, 1,349 in 10.04."""
    assert asks == len(asked(CHECK, far_away(many=None, rtt=rtt)))


def test_short_path_is_clear() -> None:
    """A near miss: 5 ms and not full is no matter of length."""
    assert Judgement.CLEAR is judged(CHECK, path(start={"min_rtt": 0.005}))


def test_full_flow_is_clear() -> None:
    """One is enough."""
    assert Judgement.CLEAR is judged(CHECK, far_away(941e6, None))


@pytest.mark.parametrize("many", [300e6, 355e6])
def test_no_clear_gain_is_clear(many: float) -> None:
    """A near miss: up to a fifth more is within what two runs differ."""
    assert Judgement.CLEAR is judged(CHECK, far_away(many=many))


@pytest.mark.parametrize("field", ["receive_window_limited", "send_buffer_limited"])
def test_window_is_another_cause(field: str) -> None:
    """A near miss: several flows have several windows."""
    scene = change(far_away(), NEAR, TcpSocket, lambda fact: edited(fact, **{field: 5.0}))
    assert Judgement.CLEAR is judged(CHECK, scene)


def test_providers_limit_is_another_cause() -> None:
    """4.94 Gbit/s on a cloud's adapter, over a path long enough for 25 Gbit/s."""
    first = flow(4.94e9, rtt=0.003, start={"min_rtt": 0.002})
    assert Judgement.CLEAR is judged(CHECK, capped().seeing(NEAR, first))


def test_loss_is_another_cause() -> None:
    """A near miss: several flows bear more loss than one."""
    scene = far_away().seeing(NEAR, flow(300e6, lost=0.003, rtt=0.051, start={"min_rtt": 0.05}))
    assert Judgement.CLEAR is judged(CHECK, scene)


def test_full_cpu_is_another_cause() -> None:
    """A near miss: several flows have several CPUs."""
    assert Judgement.CLEAR is judged(CHECK, far_away().seeing(NEAR, cpu(0, 0.97)))


def test_no_smallest_rtt_is_unknown() -> None:
    """The length of the path is not known."""
    scene = change(far_away(), NEAR, TcpSocket, lambda fact: edited(fact, min_rtt=None))
    assert Judgement.UNKNOWN is judged(CHECK, scene)


def test_ipv6_is_judged_alike() -> None:
    """TCP does not care."""
    assert Judgement.PROBLEM is judged(CHECK, on_ipv6(far_away()))


@pytest.mark.parametrize("scene", [on_loopback(far_away()), replace(far_away(), protocol="udp", tries=())])
def test_without_a_path_of_tcp_it_does_not_apply(scene: object) -> None:
    """No flow to judge."""
    assert Judgement.NOT_APPLICABLE is judged(CHECK, scene)  # type: ignore[arg-type]
