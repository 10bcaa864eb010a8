"""Half duplex against full."""

from dataclasses import replace

import pytest

from fullrate.checks.duplex_mismatch import CHECK
from fullrate.records.facts.ethtool import NicCounters
from fullrate.records.finding import Confidence, Judgement
from unit.checks.build import FULL_RATE, NEAR, evidence, found, judged
from unit.checks.scenes_phy import half_duplex
from unit.checks.wired import mode, nic, on_veth, wired


def test_late_collisions_are_sure() -> None:
    """Only a partner that does not listen makes them."""
    finding = found(CHECK, half_duplex())
    assert (Judgement.PROBLEM, Confidence.HIGH, NEAR) == (finding.verdict, finding.confidence, finding.end)


def test_they_cost_as_lost_frames_do() -> None:
    """A fifth of the segments collide: TCP holds next to nothing at 20 ms."""
    assert 880e6 < found(CHECK, half_duplex()).costs_bps < 941.5e6


def test_half_duplex_alone_is_a_problem_of_no_cost() -> None:
    """It is there; what it does was not counted."""
    finding = found(CHECK, half_duplex(late=0))
    assert (Judgement.PROBLEM, Confidence.MEDIUM, 0.0) == (finding.verdict, finding.confidence, finding.costs_bps)


def test_needs_no_trial() -> None:
    """A state of the link."""
    finding = found(CHECK, replace(half_duplex(), rate=None))
    assert (Judgement.PROBLEM, 0.0) == (finding.verdict, finding.costs_bps)


def test_full_link_pays_nothing() -> None:
    """It fills all the same."""
    scene = wired(FULL_RATE).having(NEAR, mode(NEAR, speed=100e6, duplex="Half")).seeing(NEAR, nic(NEAR))
    assert 0.0 == found(CHECK, scene).costs_bps


def test_cites_duplex_and_collisions() -> None:
    """What the driver says and counts."""
    finding = found(CHECK, half_duplex())
    assert ("Half", "+4000") == (evidence(finding, "Duplex")[1], evidence(finding, "tx_abort_late_coll")[1])


def test_remedy_of_a_negotiating_end_is_at_its_partner() -> None:
    """Nothing to type here."""
    (remedy,) = found(CHECK, half_duplex()).remedies
    assert ((), ()) == (remedy.commands, remedy.undo)


def test_remedy_of_a_forced_end_undoes_exactly() -> None:
    """Back to what was found."""
    scene = wired(20e6).having(NEAR, mode(NEAR, speed=100e6, duplex="Half", autonegotiation=False))
    (remedy,) = found(CHECK, scene).remedies
    assert ("ethtool -s enp1s0 autoneg on",) == remedy.commands
    assert ("ethtool -s enp1s0 speed 100 duplex half autoneg off",) == remedy.undo


@pytest.mark.parametrize("speed", [1e9, 2.5e9, None])
def test_placeholder_is_clear(speed: float | None) -> None:
    """A near miss: a USB class driver that cannot know says half at gigabit."""
    scene = wired().having(NEAR, mode(NEAR, speed=speed, duplex="Half"))
    assert Judgement.CLEAR is judged(CHECK, scene)


def test_full_duplex_is_clear() -> None:
    """At 100 Mbit/s as well."""
    assert Judgement.CLEAR is judged(CHECK, wired(94e6).having(NEAR, mode(NEAR, speed=100e6)))


def test_unknown_duplex_is_unknown() -> None:
    """The driver does not say."""
    assert Judgement.UNKNOWN is judged(CHECK, wired().having(NEAR, mode(NEAR, duplex=None)))


def test_uncounted_collisions_leave_the_problem() -> None:
    """No counters were read."""
    scene = half_duplex().lacking(NEAR, NicCounters, "before", "after")
    assert Confidence.MEDIUM is found(CHECK, scene).confidence


def test_virtual_links_do_not_apply() -> None:
    """Nothing collides there."""
    assert Judgement.NOT_APPLICABLE is judged(CHECK, on_veth(half_duplex()))
