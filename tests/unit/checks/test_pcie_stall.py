"""The check pcie-stall."""

from dataclasses import replace

from fullrate.checks.pcie_stall import CHECK
from fullrate.records.facts.ethtool import NicCounters
from fullrate.records.finding import Confidence, Judgement
from unit.checks.build import FAR, evidence, found, judged
from unit.checks.nic import full_ring, job, overrun, own_counters, receiving, virtual

STALLED = overrun(own_counters(FAR, rx_bus_wait=518), frames=0)


def test_nic_waits_for_the_bus() -> None:
    """The driver's own counter grows, frames are lost, the CPU has room."""
    finding = found(CHECK, STALLED)
    assert (Judgement.PROBLEM, "pcie", Confidence.MEDIUM, "enp3s0") == (
        finding.verdict,
        finding.stage,
        finding.confidence,
        finding.subject,
    )


def test_cites_the_drivers_counter() -> None:
    """By the name the driver has for it, once for the discards and once for the sign."""
    values = {seen.value for seen in found(CHECK, STALLED).evidence if seen.field == "rx_bus_wait"}
    assert {"+518"} == values


def test_beside_frames_without_descriptor() -> None:
    """A bus that is slow leaves the ring empty too: the bus comes first."""
    finding = found(CHECK, overrun(own_counters(FAR, rx_bus_wait=9)))
    assert (Judgement.PROBLEM, "+518") == (finding.verdict, evidence(finding, "rx_missed_errors")[1])


def test_nothing_to_type() -> None:
    """No command mends a slot; the note tells what to look at."""
    (remedy,) = found(CHECK, STALLED).remedies
    assert ((), ()) == (remedy.commands, remedy.undo)
    assert "LnkSta" in remedy.note


def test_waits_that_lose_nothing() -> None:
    """A full link may wait now and then."""
    assert Judgement.CLEAR is judged(CHECK, overrun(own_counters(FAR, rx_bus_wait=9), rate=935e6))


def test_other_drops() -> None:
    """Frames are lost, the bus was not waited for."""
    assert Judgement.CLEAR is judged(CHECK, full_ring(overrun()))


def test_full_cpu() -> None:
    """A full CPU explains the drops."""
    assert Judgement.CLEAR is judged(CHECK, overrun(receiving(0, busy=0.99, softirq=0.9)))


def test_driver_that_counts_no_waits() -> None:
    """Without a recipe the bus is not accused."""
    assert Judgement.CLEAR is judged(CHECK, replace(overrun(), recipes={}))


def test_healthy_and_virtual() -> None:
    """Neither has anything to do with a bus."""
    assert [Judgement.CLEAR, Judgement.NOT_APPLICABLE] == [judged(CHECK, scene) for scene in (job(), virtual(job()))]


def test_unread_counters() -> None:
    """The driver's counters are what the check is about."""
    assert Judgement.UNKNOWN is judged(CHECK, STALLED.lacking(FAR, NicCounters, "after"))
