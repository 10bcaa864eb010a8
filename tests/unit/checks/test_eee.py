"""Energy Efficient Ethernet on a link that flaps."""

import pytest

from fullrate.checks.eee import CHECK
from fullrate.records.facts.phy import Carrier, EnergyEfficiency
from fullrate.records.finding import Confidence, Judgement
from unit.checks.build import NEAR, evidence, found, judged
from unit.checks.scenes_phy import flapping, sleepy
from unit.checks.wired import NAMES, flaps, logging, on_veth, wired, without


def test_active_and_flapping_is_a_problem() -> None:
    """Likely, and to be proved by switching it off."""
    finding = found(CHECK, sleepy(flapping()))
    assert (Judgement.PROBLEM, Confidence.MEDIUM, NEAR) == (finding.verdict, finding.confidence, finding.end)


def test_flapping_by_the_log_is_enough() -> None:
    """Three losses in the last hour."""
    scene = logging(sleepy(wired()), NEAR, *flaps(NEAR, 87_000.0, 88_000.0, 89_000.0))
    assert Judgement.PROBLEM is judged(CHECK, scene)


def test_active_alone_is_clear() -> None:
    """A near miss: most links sleep without harm."""
    assert Judgement.CLEAR is judged(CHECK, sleepy(wired()))


def test_flapping_without_it_is_clear() -> None:
    """A near miss: something else shakes the link."""
    assert Judgement.CLEAR is judged(CHECK, flapping())


def test_enabled_but_refused_by_the_partner_is_clear() -> None:
    """A near miss: inactive."""
    scene = flapping().having(NEAR, EnergyEfficiency(subject=NAMES[NEAR], supported=True, enabled=True))
    assert Judgement.CLEAR is judged(CHECK, scene)


def test_remedy_switches_it_off_and_on() -> None:
    """The exact reverse."""
    (remedy,) = found(CHECK, sleepy(flapping())).remedies
    assert ("ethtool --set-eee enp1s0 eee off",) == remedy.commands
    assert ("ethtool --set-eee enp1s0 eee on",) == remedy.undo


def test_cites_status_and_carrier() -> None:
    """Both signs."""
    finding = found(CHECK, sleepy(flapping()))
    assert ("active", "+2") == (evidence(finding, "EEE status")[1], evidence(finding, "carrier_changes")[1])


def test_driver_without_it_does_not_apply() -> None:
    """Operation not supported."""
    scene = without(flapping(), NEAR, EnergyEfficiency, "--show-eee")
    assert Judgement.NOT_APPLICABLE is judged(CHECK, scene)


def test_unread_status_is_unknown() -> None:
    """No ethtool there."""
    assert Judgement.UNKNOWN is judged(CHECK, flapping().lacking(NEAR, EnergyEfficiency, "facts"))


@pytest.mark.parametrize("part", ["before", "after"])
def test_unwatched_carrier_is_unknown(part: str) -> None:
    """Active, and nobody saw whether the link holds."""
    assert Judgement.UNKNOWN is judged(CHECK, sleepy(wired()).lacking(NEAR, Carrier, part))


def test_virtual_links_do_not_apply() -> None:
    """They do not sleep."""
    assert Judgement.NOT_APPLICABLE is judged(CHECK, on_veth(sleepy(flapping())))
