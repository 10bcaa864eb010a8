"""A mode both partners support and one does not offer."""

from dataclasses import replace

import pytest

from fullrate.checks.advertise_mask_limited import CHECK
from fullrate.records.finding import Confidence, Judgement
from fullrate.sources.ethtool_link import parse
from tool_output import ran, recorded
from unit.checks.build import NEAR, evidence, found, judged
from unit.checks.scenes_phy import FASTER, NO_PARTNER, forced, masked
from unit.checks.wired import MODES, NAMES, mode, on_veth, wired


def test_hidden_mode_is_a_problem() -> None:
    """2.5 Gbit/s on both sides, not offered here."""
    finding = found(CHECK, masked())
    assert (Judgement.PROBLEM, Confidence.HIGH, NEAR) == (finding.verdict, finding.confidence, finding.end)


def test_recorded_case_is_a_problem() -> None:
    """An RTL8125 whose driver advertises 1 Gbit/s at most."""
    (fact,) = parse(ran("ethtool enp1s0"), recorded("phy/ethtool_r8125_advertises_1g.txt"))
    assert Judgement.PROBLEM is judged(CHECK, wired().having(NEAR, replace(fact, subject=NAMES[NEAR])))


def test_cost_is_the_missing_speed() -> None:
    """Three fifths of 2.5 Gbit/s."""
    assert 0.6 * 2.5e9 * 1448 / 1538 == pytest.approx(found(CHECK, masked()).costs_bps)


def test_remedy_offers_it_and_takes_it_back() -> None:
    """Nothing else is touched."""
    (remedy,) = found(CHECK, masked()).remedies
    assert ("ethtool -s enp1s0 advertise 2500baseT/Full on",) == remedy.commands
    assert ("ethtool -s enp1s0 advertise 2500baseT/Full off",) == remedy.undo


def test_cites_all_three_lists() -> None:
    """Supported, advertised, the partner's."""
    finding = found(CHECK, masked())
    assert "100baseT/Full 1000baseT/Full" == evidence(finding, "Advertised")[1]
    assert "2500baseT/Full" in evidence(finding, "Link partner")[1]


def test_forced_copper_is_a_problem() -> None:
    """100 Mbit/s by hand; what the partner could is not known."""
    finding = found(CHECK, forced())
    assert (Judgement.PROBLEM, Confidence.MEDIUM) == (finding.verdict, finding.confidence)


def test_forced_remedy_undoes_exactly() -> None:
    """Back to the speed and duplex found."""
    (remedy,) = found(CHECK, forced()).remedies
    assert ("ethtool -s enp1s0 autoneg on",) == remedy.commands
    assert ("ethtool -s enp1s0 speed 100 duplex full autoneg off",) == remedy.undo


def test_fibre_without_negotiation_is_clear() -> None:
    """A near miss: optics of 10 Gbit/s in a cage for 25."""
    modes = ("10000baseSR/Full", "25000baseSR/Full")
    scene = wired().having(
        NEAR, mode(NEAR, port="FIBRE", speed=10e9, supported=modes, autonegotiation=False, advertised=(), **NO_PARTNER)
    )
    assert Judgement.CLEAR is judged(CHECK, scene)


def test_partner_without_the_mode_is_clear() -> None:
    """A near miss: only this NIC could."""
    assert Judgement.CLEAR is judged(CHECK, wired().having(NEAR, mode(NEAR, supported=FASTER)))


def test_other_mode_of_the_same_speed_is_clear() -> None:
    """A near miss: another medium of that speed is offered."""
    supported = (*MODES, "1000baseKX/Full")
    scene = wired().having(NEAR, mode(NEAR, supported=supported, partner_advertised=supported, speed=100e6))
    assert Judgement.CLEAR is judged(CHECK, scene)


def test_less_offered_to_an_unknown_partner_is_unknown() -> None:
    """It may matter or not."""
    scene = wired().having(NEAR, mode(NEAR, supported=FASTER, **NO_PARTNER))
    assert Judgement.UNKNOWN is judged(CHECK, scene)


def test_everything_offered_to_an_unknown_partner_is_clear() -> None:
    """Nothing is held back."""
    assert Judgement.CLEAR is judged(CHECK, wired().having(NEAR, mode(NEAR, **NO_PARTNER)))


def test_driver_without_modes_does_not_apply() -> None:
    """Not reported."""
    scene = wired().having(NEAR, mode(NEAR, supported=(), advertised=(), **NO_PARTNER))
    assert Judgement.NOT_APPLICABLE is judged(CHECK, scene)


def test_virtual_links_do_not_apply() -> None:
    """Nothing is negotiated."""
    assert Judgement.NOT_APPLICABLE is judged(CHECK, on_veth(masked()))
