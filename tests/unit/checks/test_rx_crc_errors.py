"""Frames that arrive damaged."""

from dataclasses import replace

import pytest

from fullrate.checks.rx_crc_errors import CHECK
from fullrate.records.facts.ethtool import DriverInfo
from fullrate.records.facts.phy import OpticalModule
from fullrate.records.finding import Confidence, Judgement
from unit.checks.build import FAR, FULL_RATE, NEAR, evidence, found, judged
from unit.checks.scenes_phy import damaged, fec
from unit.checks.wired import NAMES, carrier, mode, nic, on_veth, wired


def test_damage_is_a_problem() -> None:
    """One frame in 27, counted by its victim."""
    finding = found(CHECK, damaged())
    assert (Judgement.PROBLEM, FAR, Confidence.HIGH) == (finding.verdict, finding.end, finding.confidence)


def test_cost_is_what_tcp_loses_to_such_loss() -> None:
    """At 20 ms next to nothing passes: the ceiling less the rate reached."""
    assert 881.5e6 == pytest.approx(found(CHECK, damaged()).costs_bps, abs=1e5)


def test_cites_counter_and_share() -> None:
    """How many, and of how many."""
    finding = found(CHECK, damaged())
    assert "+2000" == evidence(finding, "rx_crc_errors")[1]
    assert "3.7177%" == evidence(finding, "damaged frames")[1]


def test_full_link_pays_nothing() -> None:
    """It is told, and costs nothing."""
    scene = wired(FULL_RATE).seeing(FAR, nic(FAR, rx_crc_errors=2000), carrier(FAR, crc=2000))
    finding = found(CHECK, scene)
    assert (Judgement.PROBLEM, 0.0) == (finding.verdict, finding.costs_bps)


def test_drivers_own_counter_is_enough() -> None:
    """The kernel's stands still, as with many switch drivers."""
    assert Judgement.PROBLEM is judged(CHECK, damaged().seeing(FAR, carrier(FAR)))


def test_kernels_counter_is_enough() -> None:
    """A driver without a recipe."""
    scene = damaged().having(FAR, DriverInfo(subject=NAMES[FAR], driver="other")).seeing(FAR, nic(FAR))
    assert Judgement.PROBLEM is judged(CHECK, scene)


def test_a_handful_is_clear() -> None:
    """A near miss: a plug that moved."""
    assert Judgement.CLEAR is judged(CHECK, damaged(frames=9))


def test_within_the_standards_rate_is_clear() -> None:
    """A near miss: twenty of eight million."""
    scene = replace(wired(9e9), speed=10e9).seeing(FAR, nic(FAR, rx_crc_errors=20), carrier(FAR, crc=20))
    assert Judgement.CLEAR is judged(CHECK, scene)


def test_senders_damage_is_the_other_directions() -> None:
    """A near miss: acknowledgements arrive damaged."""
    assert Judgement.CLEAR is judged(CHECK, wired().seeing(NEAR, nic(NEAR, rx_crc_errors=2000)))


def test_fec_that_cannot_mend_has_the_first_claim() -> None:
    """It says why, and carries the cost."""
    finding = found(CHECK, fec(damaged()))
    assert (Judgement.PROBLEM, Confidence.MEDIUM, 0.0) == (finding.verdict, finding.confidence, finding.costs_bps)


def test_weak_light_has_the_first_claim() -> None:
    """The same."""
    module = OpticalModule(subject=NAMES[FAR], identifier="SFP", rx_powers=(-22.0,), rx_power_low_alarm=-18.0)
    assert 0.0 == found(CHECK, damaged().having(FAR, module)).costs_bps


def test_half_duplex_has_the_first_claim() -> None:
    """At either end."""
    scene = damaged().having(NEAR, mode(NEAR, duplex="Half"))
    assert "see duplex-mismatch" in found(CHECK, scene).summary


def test_counter_that_went_back_is_unknown() -> None:
    """The driver was loaded again."""
    first, last = nic(FAR, rx_crc_errors=2000)
    assert Judgement.UNKNOWN is judged(CHECK, wired().seeing(FAR, (last, first)))


def test_nothing_measured_is_unknown() -> None:
    """Damage shows under load."""
    assert Judgement.UNKNOWN is judged(CHECK, replace(damaged(), rate=None))


def test_virtual_links_do_not_apply() -> None:
    """Nothing is damaged there."""
    assert Judgement.NOT_APPLICABLE is judged(CHECK, on_veth(damaged()))
