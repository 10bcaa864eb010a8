"""A congestion control that gives way."""

from dataclasses import replace

import pytest

from fullrate.checks.congestion_control import CHECK
from fullrate.records.facts.net import Sysctl, TcpSocket
from fullrate.records.finding import Confidence, Judgement
from unit.checks.build import CEILING, FAR, NEAR, change, evidence, found, judged
from unit.checks.pairs import cpu, edited
from unit.checks.scenes_tcp import flow, path, yielding


@pytest.mark.parametrize("name", ["vegas", "lp", "nv", "cdg"])
def test_algorithm_that_gives_way_is_a_problem(name: str) -> None:
    """No loss, no full window, no full CPU: what is left is the algorithm."""
    finding = found(CHECK, yielding(name))
    assert (Judgement.PROBLEM, NEAR, Confidence.MEDIUM) == (finding.verdict, finding.end, finding.confidence)


def test_cost_is_the_ceiling_minus_window_over_rtt() -> None:
    """518 x 1448 x 8 / 20 ms = 300.03 Mbit/s."""
    assert CEILING - 300_025_600 == pytest.approx(found(CHECK, yielding()).costs_bps)


def test_cites_the_algorithm() -> None:
    """As the socket names it."""
    assert ("sockets 5201", "vegas") == evidence(found(CHECK, yielding()), "congestion control")


def test_remedy_is_the_usual_one_and_back() -> None:
    """Cubic is Linux's default."""
    (remedy,) = found(CHECK, yielding()).remedies
    assert ("sysctl -w net.ipv4.tcp_congestion_control=cubic",) == remedy.commands
    assert ("sysctl -w net.ipv4.tcp_congestion_control=vegas",) == remedy.undo


def test_algorithm_that_a_route_chose_has_no_remedy() -> None:
    """The setting says cubic already."""
    scene = yielding().having(NEAR, Sysctl(subject="net.ipv4.tcp_congestion_control", value="cubic"))
    assert () == found(CHECK, scene).remedies


@pytest.mark.parametrize("name", ["cubic", "reno", "bbr", "dctcp"])
def test_other_algorithms_are_clear(name: str) -> None:
    """They do not give way without loss or marks."""
    assert Judgement.CLEAR is judged(CHECK, yielding(name))


def test_loss_is_another_cause() -> None:
    """A near miss: whatever the algorithm, packets are lost."""
    scene = yielding().seeing(NEAR, flow(300e6, lost=0.01, start={"congestion_control": "vegas"}))
    assert Judgement.CLEAR is judged(CHECK, scene)


def test_window_is_another_cause() -> None:
    """A near miss: the receiver's window holds it."""
    scene = change(yielding(), NEAR, TcpSocket, lambda fact: edited(fact, receive_window_limited=5.0))
    assert Judgement.CLEAR is judged(CHECK, scene)


@pytest.mark.parametrize("end", [NEAR, FAR])
def test_full_cpu_is_another_cause(end: object) -> None:
    """A near miss, at either end."""
    assert Judgement.CLEAR is judged(CHECK, yielding().seeing(end, cpu(0, 0.97)))  # type: ignore[arg-type]


def test_full_link_is_clear() -> None:
    """It gave way to nobody."""
    assert Judgement.CLEAR is judged(CHECK, path(941e6, start={"congestion_control": "vegas"}))


@pytest.mark.parametrize("field", ["congestion_control", "rtt", "congestion_window", "mss"])
def test_field_that_the_kernel_left_out_is_unknown(field: str) -> None:
    """None is no algorithm and no window."""
    scene = change(yielding(), NEAR, TcpSocket, lambda fact: edited(fact, **{field: None}))
    assert Judgement.UNKNOWN is judged(CHECK, scene)


def test_udp_alone_does_not_apply() -> None:
    """It has none."""
    assert Judgement.NOT_APPLICABLE is judged(CHECK, replace(yielding(), protocol="udp"))
