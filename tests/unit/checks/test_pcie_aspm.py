"""The check pcie-aspm."""

from dataclasses import replace

from fullrate.checks.pcie_aspm import CHECK
from fullrate.records.facts.bus import DevicePath
from fullrate.records.finding import Confidence, Judgement
from unit.checks.build import FAR, evidence, found, judged
from unit.checks.nic import OWN, PORT, full_ring, job, overrun, path, receiving, virtual
from unit.checks.scenes_nic import sleeping

FILE = "/sys/class/net/enp3s0/device/link/l1_aspm"


def test_frames_lost_while_the_link_sleeps() -> None:
    """L1 on, frames lost, room on the CPU, nothing else to blame."""
    finding = found(CHECK, sleeping(full_ring(overrun())))
    assert (Judgement.PROBLEM, "pcie", Confidence.MEDIUM) == (finding.verdict, finding.stage, finding.confidence)
    assert finding.costs_bps > 0


def test_cites_the_file() -> None:
    """Each device's state stands with the file it was read from."""
    finding = found(CHECK, sleeping(full_ring(overrun())))
    states = [(seen.source, seen.value) for seen in finding.evidence if seen.field == "L1"]
    assert [(f"read {FILE}", "on"), ("read /sys/class/net/enp3s0/device/../link/l1_aspm", "off")] == states
    assert "+518" == evidence(finding, "rx_missed_errors")[1]


def test_remedy_switches_off_what_is_on() -> None:
    """Only the device with L1 on is changed, and changed back."""
    (remedy,) = found(CHECK, sleeping(full_ring(overrun()))).remedies
    assert ((f"echo 0 > {FILE}",), (f"echo 1 > {FILE}",)) == (remedy.commands, remedy.undo)


def test_undo_goes_backwards() -> None:
    """Two devices are restored in reverse order."""
    both = path(FAR, replace(OWN, l1_aspm=True), replace(PORT, l1_aspm=True))
    (remedy,) = found(CHECK, full_ring(overrun()).having(FAR, both)).remedies
    assert [command.partition(" > ")[2] for command in remedy.commands] == [
        command.partition(" > ")[2] for command in reversed(remedy.undo)
    ]


def test_sleep_without_drops_is_fine() -> None:
    """L1 alone costs nothing that matters to a busy link."""
    assert Judgement.CLEAR is judged(CHECK, sleeping(job()))


def test_small_ring_comes_first() -> None:
    """A ring that can grow explains the drops at least as well."""
    assert "rx-ring-too-small" in found(CHECK, sleeping(overrun())).summary


def test_full_cpu_comes_first() -> None:
    """A full CPU explains the drops."""
    scene = sleeping(full_ring(overrun(receiving(0, busy=0.99, softirq=0.9))))
    assert Judgement.CLEAR is judged(CHECK, scene)


def test_virtual_link() -> None:
    """A veth is on no bus."""
    assert Judgement.NOT_APPLICABLE is judged(CHECK, virtual(sleeping(overrun())))


def test_unread_state() -> None:
    """Frames are lost and nobody knows whether the link sleeps."""
    assert Judgement.UNKNOWN is judged(CHECK, full_ring(overrun()).lacking(FAR, DevicePath, "facts"))
