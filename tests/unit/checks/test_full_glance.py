"""A rate that says which link it fills."""

from dataclasses import replace

import pytest

from fullrate.records.facts.net import EchoProbe
from fullrate.records.finding import Confidence, Finding
from fullrate.records.trial import EngineResult
from unit.checks.glancing import CHECKS, seen


def found(
    rate: float, *, speed: float | None = None, tool: str = "iperf3", protocol: str = "tcp", steady: bool | None = None
) -> Finding | None:
    """What the glance says of a test that somebody showed."""
    view = seen([], rate=rate)
    (trial,) = view.trials
    spec = replace(trial.spec, protocol=protocol)
    trial = replace(trial, told=True, steady=steady, spec=spec, engine=EngineResult(program=tool))
    look = CHECKS["link-filled"].glance
    assert look is not None
    return look(replace(view, trials=(trial,), speed=speed))


def test_it_says_which_link_and_how_sure() -> None:
    """In plain words, and asks for the speed."""
    finding = found(943e6)
    assert finding is not None
    assert finding.summary.startswith("943 Mbit/s is all that a link of 1 Gbit/s carries")
    assert Confidence.LOW is finding.confidence
    assert "ethtool" in finding.asks[0].text


@pytest.mark.parametrize("rate", [94.2e6, 2.354e9, 4.71e9, 9.41e9, 9.9e9, 23.5e9])
def test_usual_links(rate: float) -> None:
    """With the usual MTU, and with jumbo frames."""
    assert found(rate) is not None


@pytest.mark.parametrize("rate", [93.1e6, 900e6, 960e6, 1.05e9, 9.2e9])
def test_other_rates(rate: float) -> None:
    """Half a percent beside it is none."""
    assert found(rate) is None


def test_not_where_a_speed_is_known() -> None:
    """Then the check itself says whether it is full."""
    assert found(941e6, speed=1e10) is None


@pytest.mark.parametrize(("tool", "protocol", "steady"), [("speedtest", "tcp", None), ("iperf3", "udp", None),
                                                           ("iperf3", "tcp", False)])  # fmt: skip
def test_not_of_every_test(tool: str, protocol: str, *, steady: bool | None) -> None:
    """Beyond a provider, at a rate somebody chose, one that went up and down."""
    assert found(941e6, tool=tool, protocol=protocol, steady=steady) is None


@pytest.mark.parametrize(("rtt", "named"), [(0.0004, True), (0.019, False)])
def test_not_beyond_a_provider(rtt: float, *, named: bool) -> None:
    """Whose limits are as likely."""
    view = seen([EchoProbe(subject="192.0.2.2 56", sent=3, received=3, size=56, rtt=rtt)], rate=94.2e6)
    trial = replace(view.trials[0], told=True, steady=None, engine=EngineResult(program="iperf3"))
    look = CHECKS["link-filled"].glance
    assert look is not None
    assert named is (look(replace(view, trials=(trial,))) is not None)
