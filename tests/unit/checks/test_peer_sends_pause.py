"""Pause frames that stop the sender."""

from dataclasses import replace

import pytest

from fullrate.checks.peer_sends_pause import CHECK
from fullrate.drivers.mlx5_core import RECIPE as MLX5
from fullrate.records.facts.ethtool import DriverInfo, NicCounters
from fullrate.records.facts.phy import PauseCounters, PauseSettings
from fullrate.records.finding import Confidence, Judgement
from unit.checks.build import CEILING, FAR, FULL_RATE, NEAR, Scene, evidence, found, judged
from unit.checks.scenes_phy import held_back
from unit.checks.wired import NAMES, nic, on_veth, wired, without


def timed(microseconds: int) -> Scene:
    """An mlx5 that counts the time it was stopped."""
    first = {"rx_pause_ctrl_phy": 10, "rx_global_pause_duration": 7}
    last = {"rx_pause_ctrl_phy": 90, "rx_global_pause_duration": 7 + microseconds}
    pair = tuple(NicCounters(subject=NAMES[NEAR], counters=counters) for counters in (first, last))
    scene = replace(wired(450e6), recipes={"mlx5_core": MLX5})
    return scene.having(NEAR, DriverInfo(subject=NAMES[NEAR], driver="mlx5_core")).seeing(NEAR, (pair[0], pair[1]))


def test_many_pause_frames_are_a_problem() -> None:
    """150 in ten seconds may stop half of the time."""
    finding = found(CHECK, held_back())
    assert (Judgement.PROBLEM, NEAR, Confidence.MEDIUM) == (finding.verdict, finding.end, finding.confidence)


def test_cost_is_the_most_they_can_have_stopped() -> None:
    """150 times 65,535 times 512 bit times of a gigabit."""
    assert CEILING * 150 * 65_535 * 512 / 1e9 / 10 == pytest.approx(found(CHECK, held_back()).costs_bps)


def test_counted_time_is_exact_and_sure() -> None:
    """4 of 10 seconds."""
    finding = found(CHECK, timed(4_000_000))
    assert Confidence.HIGH is finding.confidence
    assert 0.4 * CEILING == pytest.approx(finding.costs_bps)


def test_short_counted_time_is_clear() -> None:
    """A near miss: 80 frames, but a tenth of a second in all."""
    assert Judgement.CLEAR is judged(CHECK, timed(100_000))


def test_few_frames_are_clear() -> None:
    """A near miss: five of them cannot cost two hundredths."""
    assert Judgement.CLEAR is judged(CHECK, held_back(5))


def test_full_link_is_clear() -> None:
    """They came, and it was full all the same."""
    assert Judgement.CLEAR is judged(CHECK, wired(FULL_RATE).seeing(NEAR, nic(NEAR, rx_flow_control_xoff=150)))


def test_end_that_does_not_obey_is_clear() -> None:
    """A near miss: received, and ignored."""
    deaf = PauseSettings(subject=NAMES[NEAR], autonegotiate=False, rx=False, tx=True)
    assert Judgement.CLEAR is judged(CHECK, held_back().having(NEAR, deaf))


def test_receiver_that_sends_them_has_the_first_claim() -> None:
    """A direct cable: host-sends-pause carries the cost."""
    finding = found(CHECK, held_back().seeing(FAR, nic(FAR, tx_flow_control_xoff=150)))
    assert (Judgement.PROBLEM, 0.0) == (finding.verdict, finding.costs_bps)
    assert "the other host sends them" in finding.summary


def test_cites_counter_and_share() -> None:
    """How many, and how long at the most."""
    finding = found(CHECK, held_back())
    assert ("+150", "50.3%") == (evidence(finding, "rx_flow_control_xoff")[1], evidence(finding, "share")[1])


def test_standard_counters_serve_a_driver_without_a_recipe() -> None:
    """`ethtool -I -a`."""
    first = PauseCounters(subject=NAMES[NEAR], received=3, sent=0)
    scene = wired(450e6).having(NEAR, DriverInfo(subject=NAMES[NEAR], driver="other"))
    scene = scene.seeing(NEAR, (first, replace(first, received=303)))
    assert "+300" == evidence(found(CHECK, scene), "rx_pause_frames")[1]


def test_frames_sent_are_another_cause() -> None:
    """A near miss: this end stops its partner."""
    assert Judgement.CLEAR is judged(CHECK, wired().seeing(NEAR, nic(NEAR, tx_flow_control_xoff=150)))


def test_driver_that_counts_none_does_not_apply() -> None:
    """Settings, and no statistics."""
    scene = wired().having(NEAR, DriverInfo(subject=NAMES[NEAR], driver="other"))
    assert Judgement.NOT_APPLICABLE is judged(CHECK, scene)


def test_link_without_pause_does_not_apply() -> None:
    """Operation not supported."""
    scene = without(held_back(), NEAR, PauseSettings, "-I -a")
    assert Judgement.NOT_APPLICABLE is judged(CHECK, scene)


def test_counter_that_went_back_is_unknown() -> None:
    """The driver was loaded again."""
    first, last = nic(NEAR, rx_flow_control_xoff=150)
    assert Judgement.UNKNOWN is judged(CHECK, wired().seeing(NEAR, (last, first)))


def test_virtual_links_do_not_apply() -> None:
    """They have no pause frames."""
    assert Judgement.NOT_APPLICABLE is judged(CHECK, on_veth(held_back()))
