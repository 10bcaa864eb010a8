"""The check rx-ring-too-small."""

import pytest

from fullrate.checks.rx_ring_too_small import CHECK
from fullrate.records.facts.ethtool import Rings
from fullrate.records.finding import Confidence, Judgement
from unit.checks.build import FAR, evidence, found, judged
from unit.checks.nic import full_ring, job, overrun, own_counters, receiving, virtual
from unit.checks.scenes_nic import delayed


def test_burst_overflows_a_small_ring() -> None:
    """Frames lost in the NIC, room on the CPU, room for a larger ring: the receiver's ring."""
    finding = found(CHECK, overrun())
    assert (Judgement.PROBLEM, FAR, "enp3s0", "rx_ring", Confidence.HIGH) == (
        finding.verdict,
        finding.end,
        finding.subject,
        finding.stage,
        finding.confidence,
    )


def test_cites_the_ring_and_its_victims() -> None:
    """The ring, its limit and the frames are there to check."""
    finding = found(CHECK, overrun())
    assert "256 of 4096" == evidence(finding, "rx of rx_max")[1]
    assert ("ReceiveDrops", "+518") == evidence(finding, "rx_missed_errors")


@pytest.mark.parametrize(("size", "most", "grown"), [(256, 4096, 1024), (512, 1024, 1024), (2048, 8192, 8192)])
def test_remedy_grows_fourfold_at_most(size: int, most: int, grown: int) -> None:
    """The undo is the size found."""
    scene = overrun().having(FAR, Rings(subject="enp3s0", rx=size, rx_max=most))
    (remedy,) = found(CHECK, scene).remedies
    assert ((f"ethtool -G enp3s0 rx {grown}",), (f"ethtool -G enp3s0 rx {size}",)) == (remedy.commands, remedy.undo)


def test_largest_ring_is_cleared() -> None:
    """There is nothing to grow."""
    assert "as large as it can be" in found(CHECK, full_ring(overrun())).summary


def test_full_cpu_is_no_ring() -> None:
    """A larger ring would only delay the loss."""
    finding = found(CHECK, overrun(receiving(0, busy=0.99, softirq=0.9)))
    assert (Judgement.CLEAR, 0.0) == (finding.verdict, finding.costs_bps)


def test_surer_cause_comes_first() -> None:
    """A small ring is no cause where the NIC waits for the bus or the interrupt comes late."""
    scenes = [overrun(own_counters(FAR, rx_bus_wait=9)), delayed(overrun())]
    assert [Judgement.CLEAR] * 2 == [judged(CHECK, scene) for scene in scenes]


def test_small_ring_without_drops_is_fine() -> None:
    """A default is no fault."""
    assert Judgement.CLEAR is judged(CHECK, job())


def test_virtual_link_has_no_ring() -> None:
    """A veth has no NIC."""
    assert Judgement.NOT_APPLICABLE is judged(CHECK, virtual(overrun()))


def test_unread_ring_is_unknown() -> None:
    """Frames are lost and the ring could not be read."""
    assert Judgement.UNKNOWN is judged(CHECK, overrun().lacking(FAR, Rings, "facts"))
