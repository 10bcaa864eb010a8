"""The kernel's words about a card's PCIe link, pasted alone."""

import pytest

from fullrate.checks.pcie_link_narrow import CHECK
from fullrate.records.evidence import Status
from fullrate.records.facts.ethtool import LinkMode
from fullrate.records.facts.kernel_log import KernelMessage, LogEvent
from fullrate.records.finding import Confidence, Finding, Judgement
from fullrate.records.view import Missing
from unit.checks.pasted import pasted

CARD = "0000:01:00.0"
OLD = "ixgbe 0000:01:00.0: This is not sufficient for optimal performance of this card."


def said(available: float, able: float) -> str:
    """The kernel's line, in Gbit/s."""
    return (
        f"ixgbe {CARD}: {available:.3f} Gb/s available PCIe bandwidth, limited by 5.0 GT/s PCIe x1 link at"
        f" 0000:00:00.0 (capable of {able:.3f} Gb/s with 5.0 GT/s PCIe x8 link)"
    )


def finding(*texts: str, speed: float | None = None, promised: float | None = None) -> Finding:
    """What these lines lead to, for a link of that speed."""
    lines = [KernelMessage(subject=CARD, event=LogEvent.PCIE_NARROW, text=text, device=CARD) for text in texts]
    modes = [LinkMode(subject=CARD, speed=speed)] if speed else []
    return CHECK.diagnose(pasted(*lines, *modes, link=CARD, promised=promised))


def test_an_eighth_of_what_the_card_could_take() -> None:
    """Too little for a port of it, but the port was not shown."""
    found = finding(said(4, 32))
    assert (Judgement.PROBLEM, Confidence.LOW, CARD) == (found.verdict, found.confidence, found.subject)


def test_a_quarter_is_open() -> None:
    """A near miss: an I350 at x1 still fills one port; what its port does is asked for."""
    found = finding(said(4, 16))
    assert (Judgement.UNKNOWN, True) == (found.verdict, "ethtool" in found.asks[0].text)


@pytest.mark.parametrize(("speed", "verdict"), [(1e9, Judgement.CLEAR), (10e9, Judgement.PROBLEM)])
def test_a_known_speed_decides(speed: float, verdict: Judgement) -> None:
    """What the link itself can carry."""
    assert verdict is finding(said(4, 32), speed=speed).verdict


def test_a_promised_speed_decides() -> None:
    """It is what somebody expects."""
    assert Confidence.MEDIUM is finding(said(12, 32), promised=25e9).confidence


def test_a_driver_that_knows_its_ports() -> None:
    """Its own word needs no figure."""
    found = finding(OLD)
    assert (Judgement.PROBLEM, Confidence.MEDIUM) == (found.verdict, found.confidence)


def test_the_narrowest_of_several_counts() -> None:
    """One card of two."""
    assert "4 Gbit/s" in finding(said(30, 32), said(4, 32)).summary


def test_a_log_without_such_a_line_decides_nothing() -> None:
    """What the device shows is asked for."""
    with pytest.raises(Missing):
        finding()


def test_a_device_that_could_not_be_read_is_not_judged_by_its_log() -> None:
    """Live, the log may tell of another network namespace."""
    line = KernelMessage(subject="eno1", event=LogEvent.PCIE_NARROW, text=OLD)
    with pytest.raises(Missing):
        CHECK.diagnose(pasted(line, status=Status.DENIED))
