"""The check coalescing-too-high."""

from fullrate.checks.coalescing_too_high import CHECK
from fullrate.records.facts.ethtool import Coalescing, Rings
from fullrate.records.finding import Judgement
from unit.checks.build import FAR, evidence, found, judged
from unit.checks.nic import job, overrun, virtual
from unit.checks.scenes_nic import delayed


def test_late_interrupts_overflow_the_ring() -> None:
    """244 frames in 3 ms against 256 descriptors, and frames are lost."""
    finding = found(CHECK, delayed(overrun()))
    assert (Judgement.PROBLEM, "interrupts", "244") == (
        finding.verdict,
        finding.stage,
        evidence(finding, "full frames in that time")[1],
    )


def test_remedy_and_undo() -> None:
    """A moderate delay; the undo is the one found."""
    (remedy,) = found(CHECK, delayed(overrun())).remedies
    assert (("ethtool -C enp3s0 rx-usecs 50",), ("ethtool -C enp3s0 rx-usecs 3000",)) == (remedy.commands, remedy.undo)


def test_short_delay_is_cleared() -> None:
    """Frames are lost, and not for this."""
    assert "outlasts" in found(CHECK, delayed(overrun(), 50)).summary


def test_larger_ring_outlasts_the_same_delay() -> None:
    """It is the two together that count."""
    scene = delayed(overrun()).having(FAR, Rings(subject="enp3s0", rx=4096, rx_max=4096))
    assert Judgement.CLEAR is judged(CHECK, scene)


def test_long_delay_without_drops_is_fine() -> None:
    """A setting alone is no fault."""
    assert Judgement.CLEAR is judged(CHECK, delayed(job()))


def test_adaptive_moderation() -> None:
    """The driver shortens the delay by itself."""
    scene = overrun().having(FAR, Coalescing(subject="enp3s0", adaptive_rx=True, parameters={"rx-usecs": 3000}))
    assert Judgement.CLEAR is judged(CHECK, scene)


def test_virtual_link() -> None:
    """A veth has no interrupts."""
    assert Judgement.NOT_APPLICABLE is judged(CHECK, virtual(delayed(overrun())))


def test_unread_settings() -> None:
    """Frames are lost and the delay could not be read."""
    assert Judgement.UNKNOWN is judged(CHECK, overrun().lacking(FAR, Coalescing, "facts"))
