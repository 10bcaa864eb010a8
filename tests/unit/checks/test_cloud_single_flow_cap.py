"""A provider's limit for each flow."""

from dataclasses import replace

import pytest

from fullrate.checks.cloud_single_flow_cap import CHECK
from fullrate.records.facts.ethtool import DriverInfo
from fullrate.records.facts.net import TcpSocket
from fullrate.records.finding import Confidence, Judgement
from fullrate.records.trial import Estimate, Trial
from unit.checks.build import NEAR, asked, change, evidence, found, judged
from unit.checks.glancing import seen
from unit.checks.pairs import cpu, edited
from unit.checks.scenes_tcp import capped


def test_flat_stop_at_the_providers_figure_is_a_problem() -> None:
    """4.94 Gbit/s with one flow, 18 with four, on a quiet host."""
    finding = found(CHECK, capped())
    assert (Judgement.PROBLEM, "path", Confidence.MEDIUM) == (finding.verdict, finding.subject, finding.confidence)
    assert "the provider lets one flow have 5 Gbit/s; 4 flows carry more" == finding.summary


def test_limit_within_a_placement_group() -> None:
    """9.5 of 10 Gbit/s."""
    assert "10 Gbit/s" in found(CHECK, capped(9.5e9)).summary


def test_cost_is_what_several_carried_beyond() -> None:
    """18 - 4.94 Gbit/s."""
    assert 13.06e9 == pytest.approx(found(CHECK, capped()).costs_bps)


def test_cites_driver_and_both_rates() -> None:
    """One flow, then four."""
    finding = found(CHECK, capped())
    assert ("DriverInfo", "ena") == evidence(finding, "driver")
    rates = [(seen.source, seen.value) for seen in finding.evidence if seen.field == "throughput_bps"]
    assert [("trial/t1", "4940000000"), ("trial/t4", "18000000000")] == rates


@pytest.mark.parametrize("one", [4.4e9, 5.1e9, 7e9, 10.2e9])
def test_other_rates_are_clear(one: float) -> None:
    """A near miss: below, between and above the figures."""
    assert Judgement.CLEAR is judged(CHECK, capped(one))


def test_several_flows_that_carry_no_more_are_clear() -> None:
    """A near miss: then it is no limit of the flow."""
    assert Judgement.CLEAR is judged(CHECK, capped(many=5e9))


def test_asks_for_several_flows() -> None:
    """The proof is a test with four."""
    (ask,) = asked(CHECK, replace(capped(), tries=()))
    assert ask.trial is not None
    assert 4 == ask.trial.streams


def test_unsteady_flow_is_clear() -> None:
    """A near miss: a limit is flat."""
    assert Judgement.CLEAR is judged(CHECK, replace(capped(), steady=False))


def test_full_cpu_is_another_cause() -> None:
    """A near miss: a core may just do 5 Gbit/s."""
    assert Judgement.CLEAR is judged(CHECK, capped().seeing(NEAR, cpu(0, 0.97)))


def test_window_is_another_cause() -> None:
    """A near miss."""
    scene = change(capped(), NEAR, TcpSocket, lambda fact: edited(fact, receive_window_limited=5.0))
    assert Judgement.CLEAR is judged(CHECK, scene)


def test_other_drivers_have_no_known_limit() -> None:
    """No verdict from a plateau alone."""
    assert Judgement.NOT_APPLICABLE is judged(CHECK, capped(driver="mlx5_core"))


def test_driver_that_is_not_known_is_unknown() -> None:
    """It may be the provider's."""
    assert Judgement.UNKNOWN is judged(CHECK, capped().lacking(NEAR, DriverInfo, "facts"))


def test_udp_alone_does_not_apply() -> None:
    """Nothing to compare."""
    assert Judgement.NOT_APPLICABLE is judged(CHECK, replace(capped(), protocol="udp", tries=()))


def shown(one: float, several: float, *, driver: str = "ena") -> Confidence | None:
    """How sure two tests that somebody showed make it."""
    view = seen([DriverInfo(subject="eth0", driver=driver)], rate=one)
    tests = tuple(_told(view.trials[0], rate, streams) for rate, streams in ((one, 1), (several, 20)))
    finding = CHECK.glance(replace(view, trials=tests)) if CHECK.glance else None
    return None if finding is None else finding.confidence


def _told(trial: Trial, rate: float, streams: int) -> Trial:
    spec = replace(trial.spec, streams=streams)
    return replace(trial, told=True, spec=spec, throughput=Estimate(n=1, median=rate, ci_low=rate, ci_high=rate))


def test_two_tests_that_somebody_showed() -> None:
    """One flow at the provider's figure, twenty far beyond."""
    assert Confidence.MEDIUM is shown(4.96e9, 70e9)


@pytest.mark.parametrize(
    ("one", "several", "driver"), [(4.96e9, 5e9, "ena"), (3e9, 70e9, "ena"), (4.96e9, 70e9, "igb")]
)
def test_two_tests_that_do_not_say_so(one: float, several: float, driver: str) -> None:
    """No more with several, below the figure, no provider."""
    assert shown(one, several, driver=driver) is None
