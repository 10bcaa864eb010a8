"""The check pcie-link-narrow."""

from dataclasses import replace

import pytest

from fullrate.checks.pcie_link_narrow import CHECK
from fullrate.records.evidence import query
from fullrate.records.facts.bus import BusStep, DevicePath
from fullrate.records.facts.cpu import Topology
from fullrate.records.facts.ethtool import LinkMode
from fullrate.records.facts.kernel_log import KernelMessage, LogEvent
from fullrate.records.finding import Judgement
from fullrate.records.leaf import Per
from fullrate.sources.device_path import SOURCE
from proc_fixtures import fixture
from unit.checks.build import NEAR, Scene, evidence, found, judged
from unit.checks.nic import OWN, PORT, job, path, virtual
from unit.checks.scenes_nic import narrow, on_usb


def slot(speed: float, width: int, link: float) -> Scene:
    """The sender's NIC of a speed in such a slot."""
    scene = job(600e6).having(NEAR, path(NEAR, replace(OWN, speed=speed, width=width), PORT))
    return scene.having(NEAR, LinkMode(subject="enp1s0", speed=link))


def test_asked_about_each_link() -> None:
    """A slot is a state of one link."""
    assert Per.LINK is CHECK.per


@pytest.mark.parametrize(
    ("speed", "width", "link", "verdict"),
    [
        (5.0, 1, 10e9, Judgement.PROBLEM),
        (5.0, 4, 10e9, Judgement.CLEAR),
        (5.0, 1, 2.5e9, Judgement.CLEAR),
        (2.5, 1, 1e9, Judgement.CLEAR),
        (8.0, 8, 100e9, Judgement.PROBLEM),
        (8.0, 16, 100e9, Judgement.PROBLEM),
    ],
)
def test_slots(speed: float, width: int, link: float, verdict: Judgement) -> None:
    """Arithmetic decides; the port above (5 GT/s x4, 14.5 Gbit/s) counts too."""
    assert verdict is judged(CHECK, slot(speed, width, link))


def test_bridge_above_is_narrower() -> None:
    """The narrowest link on the way is named, with its address."""
    scene = slot(16.0, 16, 25e9)
    assert "0000:00:01.0" in found(CHECK, scene).summary


def test_cites_speed_width_and_arithmetic() -> None:
    """All that the sum is made of."""
    finding = found(CHECK, narrow())
    assert ("read /sys/class/net/enp1s0/device/current_link_width", "x1 at 0000:01:00.0") == evidence(finding, "width")
    assert "3.63" == evidence(finding, "GT/s x line code")[1]


def test_costs_nothing_when_the_path_is_slower_anyway() -> None:
    """A gigabit job does not need more than 3.6 Gbit/s: the slot would bite others."""
    assert 0.0 == found(CHECK, narrow()).costs_bps


def test_costs_what_the_path_misses() -> None:
    """A path of 10 Gbit/s with 3.3 Gbit/s measured misses 5.8 for the slot."""
    scene = replace(slot(5.0, 1, 10e9), speed=10e9)
    assert 9414.8e6 - 3631e6 * 0.94148 == pytest.approx(found(CHECK, scene).costs_bps, rel=0.01)


def test_note_tells_what_the_card_can_do() -> None:
    """So that the right slot is looked for."""
    (remedy,) = found(CHECK, narrow()).remedies
    assert "8 GT/s x8" in remedy.note


def test_guest_is_not_judged() -> None:
    """An emulated igb on a virtual port: the kernel in the guest shows an invented link."""
    (known,) = SOURCE.parse(query("grep"), fixture("debian13/igb/grep_device_path.txt"))
    assert isinstance(known, DevicePath)
    scene = job().having(NEAR, replace(known, subject="enp1s0"), Topology(cpus=4, hypervisor="KVM"))
    assert Judgement.NOT_APPLICABLE is judged(CHECK, scene.having(NEAR, LinkMode(subject="enp1s0", speed=10e9)))


@pytest.mark.parametrize(
    "scene",
    [
        virtual(narrow()),
        on_usb(480e6),
        job().having(NEAR, path(NEAR, BusStep(level=0, pci_address="0000:01:00.1"))),
        job().having(NEAR, path(NEAR, BusStep(level=0, driver="stmmac"))),
    ],
)
def test_nothing_to_judge(scene: Scene) -> None:
    """A veth, a USB adapter, a virtual function and a chip on the board."""
    assert Judgement.NOT_APPLICABLE is judged(CHECK, scene)


@pytest.mark.parametrize("kind", [DevicePath, LinkMode, Topology])
def test_unread(kind: type[DevicePath] | type[LinkMode] | type[Topology]) -> None:
    """The slot, the link's speed and the kind of machine are all needed."""
    assert Judgement.UNKNOWN is judged(CHECK, narrow().lacking(NEAR, kind, "facts"))


def test_link_without_a_speed() -> None:
    """A link that is down cannot be compared."""
    assert Judgement.UNKNOWN is judged(CHECK, narrow().having(NEAR, LinkMode(subject="enp1s0", speed=None)))


def test_line_of_the_log_goes_with_the_finding() -> None:
    """The kernel does the same arithmetic at boot; another device's line is not this one's."""
    text = "4.000 Gb/s available PCIe bandwidth, limited by 5.0 GT/s PCIe x1 link at 0000:00:1c.0"
    log = [KernelMessage(subject=name, event=LogEvent.PCIE_NARROW, text=f"{name} {text}") for name in
           (OWN.pci_address or "", "0000:99:00.0")]  # fmt: skip
    finding = found(CHECK, slot(5.0, 1, 10e9).having(NEAR, *log))
    assert ("KernelMessage", f"{OWN.pci_address} {text}") == evidence(finding, "pcie_narrow")
