"""The check nic-rx-overrun."""

import pytest

from fullrate.checks.nic_rx_overrun import CHECK
from fullrate.records.facts.queues import ReceiveDrops
from fullrate.records.finding import Confidence, Judgement
from unit.checks.build import FAR, Scene, evidence, found, judged, on_ipv6
from unit.checks.nic import full_ring, job, overrun, own_counters, receiving, replays, virtual
from unit.checks.scenes_nic import delayed, sleeping


def test_open_reason_is_the_answer() -> None:
    """Where nothing names the kind the general cause stands, with its price."""
    finding = found(CHECK, full_ring(overrun()))
    assert (Judgement.PROBLEM, Confidence.MEDIUM, True) == (finding.verdict, finding.confidence, finding.costs_bps > 0)
    assert "518 of 52,314 frames" in finding.summary


@pytest.mark.parametrize(
    ("scene", "word"),
    [
        (overrun(), "rx-ring-too-small"),
        (sleeping(full_ring(overrun())), "pcie-aspm"),
        (delayed(overrun()), "coalescing-too-high"),
        (overrun(own_counters(FAR, rx_bus_wait=9)), "pcie-stall"),
        (overrun(replays(FAR, 0, 9)), "pcie-signal-errors"),
        (overrun(receiving(0, busy=0.99, softirq=0.9)), "CPU 0"),
    ],
)
def test_stands_back_where_the_kind_is_known(scene: Scene, word: str) -> None:
    """It costs nothing beside the cause that it names, and is not sure."""
    finding = found(CHECK, scene)
    assert (0.0, Confidence.LOW) == (finding.costs_bps, finding.confidence)
    assert word in finding.summary


def test_counters_of_the_kernel_are_cited() -> None:
    """All three names, for drivers differ."""
    finding = found(CHECK, full_ring(overrun()))
    assert [("ReceiveDrops", "+518"), ("ReceiveDrops", "+0"), ("ReceiveDrops", "+0")] == [
        evidence(finding, f"rx_{name}_errors") for name in ("missed", "fifo", "over")
    ]


def test_drivers_counter_alone() -> None:
    """A driver that does not feed the kernel's counters is heard too."""
    scene = full_ring(overrun(own_counters(FAR, rx_no_descriptor=518), frames=0))
    assert Judgement.PROBLEM is judged(CHECK, scene)


def test_healthy_nic() -> None:
    """Nothing discarded, nothing said."""
    assert Judgement.CLEAR is judged(CHECK, job())


def test_full_link_with_drops() -> None:
    """A full link is not accused."""
    assert Judgement.CLEAR is judged(CHECK, overrun(rate=935e6))


def test_over_ipv6() -> None:
    """The IP version does not matter to a NIC."""
    assert Judgement.PROBLEM is judged(CHECK, on_ipv6(full_ring(overrun())))


def test_virtual_link() -> None:
    """A veth has no NIC."""
    assert Judgement.NOT_APPLICABLE is judged(CHECK, virtual(overrun()))


def test_unread_counters() -> None:
    """Without them nothing is cleared."""
    assert Judgement.UNKNOWN is judged(CHECK, overrun().lacking(FAR, ReceiveDrops, "after"))
