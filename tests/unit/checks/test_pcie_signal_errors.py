"""The check pcie-signal-errors."""

from fullrate.checks.pcie_signal_errors import CHECK
from fullrate.records.facts.bus import PcieErrors
from fullrate.records.finding import Confidence, Judgement
from unit.checks.build import FAR, evidence, found, judged
from unit.checks.nic import job, overrun, receiving, replays, virtual

DAMAGED = overrun(replays(FAR, 1, 900))


def test_errors_in_step_with_lost_frames() -> None:
    """The port above the NIC corrected 900 packets while frames were lost."""
    finding = found(CHECK, DAMAGED)
    assert (Judgement.PROBLEM, "pcie", Confidence.MEDIUM) == (finding.verdict, finding.stage, finding.confidence)
    assert finding.costs_bps > 0


def test_cites_kind_and_level() -> None:
    """Which side of the link received the damage."""
    assert ("PcieErrors", "+900") == evidence(found(CHECK, DAMAGED), "BadTLP, level 1")


def test_errors_of_the_device_itself() -> None:
    """The other direction of the PCIe link counts as well."""
    assert Judgement.PROBLEM is judged(CHECK, overrun(replays(FAR, 0, 3)))


def test_corrected_errors_alone_are_cosmetic() -> None:
    """Repeated packets lost nothing: many a healthy host counts some."""
    assert Judgement.CLEAR is judged(CHECK, job().seeing(FAR, replays(FAR, 1, 900)))


def test_corrected_errors_on_a_full_link() -> None:
    """A full link is not accused."""
    assert Judgement.CLEAR is judged(CHECK, overrun(replays(FAR, 1, 900), rate=935e6))


def test_full_cpu() -> None:
    """A full CPU explains the drops."""
    scene = overrun(replays(FAR, 1, 900), receiving(0, busy=0.99, softirq=0.9))
    assert Judgement.CLEAR is judged(CHECK, scene)


def test_errors_since_boot_do_not_count() -> None:
    """Only what came during the trial."""
    assert "no PCIe error came" == found(CHECK, overrun()).summary


def test_nothing_to_type() -> None:
    """A card is reseated by hand."""
    (remedy,) = found(CHECK, DAMAGED).remedies
    assert ((), ()) == (remedy.commands, remedy.undo)


def test_virtual_link() -> None:
    """A veth is on no bus."""
    assert Judgement.NOT_APPLICABLE is judged(CHECK, virtual(DAMAGED))


def test_unread_counters() -> None:
    """A kernel without these counters leaves it open, once frames are lost."""
    scene = overrun().lacking(FAR, PcieErrors, "before", "after")
    assert Judgement.UNKNOWN is judged(CHECK, scene)
