"""Forward error correction that lets damage through."""

import pytest

from fullrate.checks.fec_mismatch import CHECK
from fullrate.records.facts.phy import FecCounters, FecMode
from fullrate.records.finding import Confidence, Judgement
from unit.checks.build import FAR, FULL_RATE, NEAR, Scene, evidence, found, judged
from unit.checks.scenes_phy import damaged, fec
from unit.checks.wired import NAMES, mode, on_veth, wired, without


def uncounted(*, active: str = "Off", speed: float = 25e9, frames: int = 2000) -> Scene:
    """Damaged frames at a driver that counts no blocks."""
    scene = fec(damaged(frames=frames), active=active).lacking(FAR, FecCounters, "before", "after")
    return scene.having(FAR, mode(FAR, speed=speed))


def test_blocks_it_could_not_mend_are_a_problem() -> None:
    """Each is lost frames."""
    finding = found(CHECK, fec(damaged()))
    assert (Judgement.PROBLEM, FAR, Confidence.HIGH) == (finding.verdict, finding.end, finding.confidence)


def test_cost_is_what_tcp_loses_to_such_loss() -> None:
    """900 blocks of some 52,000 frames at 20 ms."""
    assert 881e6 == pytest.approx(found(CHECK, fec(damaged())).costs_bps, rel=0.01)


def test_full_link_pays_nothing() -> None:
    """It is told all the same."""
    assert 0.0 == found(CHECK, fec(wired(FULL_RATE))).costs_bps


def test_cites_blocks_and_mode() -> None:
    """What the port counts, and how it is set."""
    finding = found(CHECK, fec(damaged()))
    assert ("+900", "RS") == (evidence(finding, "uncorrectable_blocks")[1], evidence(finding, "Active")[1])


def test_mended_blocks_are_clear() -> None:
    """A near miss: that is what it is for."""
    assert Judgement.CLEAR is judged(CHECK, fec(wired(), unmended=0))


def test_off_with_damage_is_a_problem() -> None:
    """25 Gbit/s without FEC, frames arrive damaged."""
    finding = found(CHECK, uncounted())
    assert (Judgement.PROBLEM, Confidence.MEDIUM) == (finding.verdict, finding.confidence)


def test_remedy_switches_it_on_and_back() -> None:
    """As it was configured."""
    (remedy,) = found(CHECK, uncounted()).remedies
    assert ("ethtool --set-fec enp3s0 encoding rs",) == remedy.commands
    assert ("ethtool --set-fec enp3s0 encoding auto",) == remedy.undo


def test_undo_is_left_out_when_not_known() -> None:
    """Newer tools list what is supported along with what is set."""
    many = FecMode(subject=NAMES[FAR], configured=("Auto", "RS"), active=("Off",))
    (remedy,) = found(CHECK, uncounted().having(FAR, many)).remedies
    assert () == remedy.undo


def test_medium_is_to_be_mended_where_it_is_on() -> None:
    """No command helps."""
    assert () == found(CHECK, fec(damaged())).remedies


def test_off_without_damage_is_clear() -> None:
    """A near miss: a short cable does without."""
    assert Judgement.CLEAR is judged(CHECK, uncounted(frames=0))


def test_off_below_its_speeds_is_clear() -> None:
    """A near miss: damage at 10 Gbit/s is not for want of FEC."""
    assert Judgement.CLEAR is judged(CHECK, uncounted(speed=10e9))


def test_on_with_damage_and_uncounted_is_unknown() -> None:
    """Whether it fails cannot be told."""
    assert Judgement.UNKNOWN is judged(CHECK, uncounted(active="RS"))


def test_link_without_it_does_not_apply() -> None:
    """Copper ports answer that they do not support it."""
    scene = without(damaged(), FAR, FecMode, "-I --show-fec")
    assert Judgement.NOT_APPLICABLE is judged(CHECK, scene)


def test_senders_fec_is_the_other_directions() -> None:
    """A near miss."""
    first = FecCounters(subject=NAMES[NEAR], uncorrectable_blocks=1)
    last = FecCounters(subject=NAMES[NEAR], uncorrectable_blocks=500)
    assert Judgement.CLEAR is judged(CHECK, fec(wired(), unmended=0).seeing(NEAR, (first, last)))


def test_virtual_links_do_not_apply() -> None:
    """Nothing to correct."""
    assert Judgement.NOT_APPLICABLE is judged(CHECK, on_veth(fec(damaged())))
