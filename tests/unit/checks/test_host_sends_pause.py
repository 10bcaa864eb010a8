"""A receiver that stops its partner."""

from dataclasses import replace

import pytest

from fullrate.checks.host_sends_pause import CHECK
from fullrate.drivers.mlx5_core import RECIPE as MLX5
from fullrate.records.facts.ethtool import DriverInfo, NicCounters
from fullrate.records.facts.phy import PauseCounters, PauseSettings
from fullrate.records.finding import Confidence, Judgement
from unit.checks.build import CEILING, FAR, FULL_RATE, NEAR, evidence, found, judged
from unit.checks.scenes_phy import holding_back
from unit.checks.wired import NAMES, nic, on_veth, wired, without


def test_many_pause_frames_are_a_problem() -> None:
    """The receiver cannot keep up; why is open."""
    finding = found(CHECK, holding_back())
    assert (Judgement.PROBLEM, FAR, Confidence.MEDIUM) == (finding.verdict, finding.end, finding.confidence)


def test_cost_is_the_most_they_can_have_stopped() -> None:
    """150 times 65,535 times 512 bit times of a gigabit."""
    assert CEILING * 150 * 65_535 * 512 / 1e9 / 10 == pytest.approx(found(CHECK, holding_back()).costs_bps)


def test_it_never_costs_more_than_the_link() -> None:
    """Ten thousand frames overlap."""
    assert CEILING == pytest.approx(found(CHECK, holding_back(10_000)).costs_bps)


def test_counted_time_is_exact_and_sure() -> None:
    """Three of ten seconds."""
    first = {"tx_pause_ctrl_phy": 10, "tx_global_pause_duration": 7}
    last = {"tx_pause_ctrl_phy": 90, "tx_global_pause_duration": 3_000_007}
    scene = replace(wired(450e6), recipes={"mlx5_core": MLX5})
    scene = scene.having(FAR, DriverInfo(subject=NAMES[FAR], driver="mlx5_core")).seeing(
        FAR, (NicCounters(subject=NAMES[FAR], counters=first), NicCounters(subject=NAMES[FAR], counters=last))
    )
    finding = found(CHECK, scene)
    assert Confidence.HIGH is finding.confidence
    assert 0.3 * CEILING == pytest.approx(finding.costs_bps)


def test_few_frames_are_clear() -> None:
    """A near miss: five of them cannot cost two hundredths."""
    assert Judgement.CLEAR is judged(CHECK, holding_back(5))


def test_full_link_is_clear() -> None:
    """It kept up well enough."""
    assert Judgement.CLEAR is judged(CHECK, wired(FULL_RATE).seeing(FAR, nic(FAR, tx_flow_control_xoff=150)))


def test_frames_received_are_another_cause() -> None:
    """A near miss: the partner stops this end."""
    assert Judgement.CLEAR is judged(CHECK, wired().seeing(FAR, nic(FAR, rx_flow_control_xoff=150)))


def test_senders_frames_are_the_other_directions() -> None:
    """A near miss."""
    assert Judgement.CLEAR is judged(CHECK, wired().seeing(NEAR, nic(NEAR, tx_flow_control_xoff=150)))


def test_cites_counter_and_share() -> None:
    """How many, and how long at the most."""
    finding = found(CHECK, holding_back())
    assert ("+150", "50.3%") == (evidence(finding, "tx_flow_control_xoff")[1], evidence(finding, "share")[1])


def test_standard_counters_serve_a_driver_without_a_recipe() -> None:
    """`ethtool -I -a`."""
    first = PauseCounters(subject=NAMES[FAR], received=3, sent=8)
    scene = wired(450e6).having(FAR, DriverInfo(subject=NAMES[FAR], driver="other"))
    assert "+300" == evidence(found(CHECK, scene.seeing(FAR, (first, replace(first, sent=308)))), "tx_pause_frames")[1]


def test_driver_that_counts_none_does_not_apply() -> None:
    """Settings, and no statistics."""
    scene = wired().having(FAR, DriverInfo(subject=NAMES[FAR], driver="other"))
    assert Judgement.NOT_APPLICABLE is judged(CHECK, scene)


def test_link_without_pause_does_not_apply() -> None:
    """Operation not supported."""
    assert Judgement.NOT_APPLICABLE is judged(CHECK, without(holding_back(), FAR, PauseSettings, "-I -a"))


def test_unread_settings_are_unknown() -> None:
    """No ethtool there."""
    assert Judgement.UNKNOWN is judged(CHECK, holding_back().lacking(FAR, PauseSettings, "facts"))


def test_virtual_links_do_not_apply() -> None:
    """They have no pause frames."""
    assert Judgement.NOT_APPLICABLE is judged(CHECK, on_veth(holding_back()))
