"""Imitated NICs by their place and model, and real ones that look like them."""

import pytest

from fullrate.records.facts.base import Fact
from fullrate.records.facts.bus import PciDevice
from fullrate.records.facts.cpu import Topology
from fullrate.records.facts.ethtool import DriverInfo
from fullrate.records.facts.processor import Machine
from fullrate.records.finding import Confidence, Judgement
from unit.checks.glancing import glance, suspicion

CAUSE = "virt-nic-emulated"


def driven(driver: str, bus: str | None = None) -> DriverInfo:
    """What `ethtool -i` says."""
    return DriverInfo(subject="eth0", driver=driver, bus_info=bus)


def card(address: str, name: str) -> PciDevice:
    """What lspci says."""
    return PciDevice(subject=f"0000:{address}", name=f"Ethernet controller: {name}")


QEMU_CARD = card("00:12.0", "Intel Corporation 82540EM Gigabit Ethernet Controller (rev 03)")
REALTEK = card("00:03.0", "Realtek Semiconductor Co., Ltd. RTL-8100/8101L/8139 PCI Fast Ethernet Adapter (rev 20)")
VMWARE_CARD = card("02:01.0", "Intel Corporation 82545EM Gigabit Ethernet Controller (Copper) (rev 01)")
VMWARE_SCREEN = PciDevice(subject="0000:00:0f.0", name="VGA compatible controller: VMware SVGA II Adapter")


@pytest.mark.parametrize(
    "facts",
    [
        [QEMU_CARD],
        [driven("e1000", "0000:00:12.0")],
        [REALTEK],
        [driven("8139cp", "0000:00:03.0")],
        [driven("e1000e", "0000:00:02.0")],
        [card("00:04.0", "Intel Corporation 82574L Gigabit Network Connection")],
        [VMWARE_CARD, VMWARE_SCREEN],
        [driven("e1000", "0000:02:01.0"), Machine(hypervisor="vmware")],
        [driven("e1000"), Topology(cpus=4, model="QEMU Virtual CPU version 2.5+")],
        [driven("e1000", "0000:02:01.0"), Topology(cpus=4, hypervisor="VMware")],
    ],
)
def test_imitations(facts: list[Fact]) -> None:
    """On the root bus, or of a model that hypervisors offer in what says that it is a virtual machine."""
    assert Confidence.MEDIUM is suspicion(CAUSE, *facts)


@pytest.mark.parametrize(
    "facts",
    [
        [driven("e1000e", "0000:00:1f.6")],
        [driven("e1000e", "0000:00:19.0"), card("00:19.0", "Intel Corporation Ethernet Connection I217-LM (rev 04)")],
        [driven("e1000e", "0000:03:00.0"), card("03:00.0", "Intel Corporation 82574L Gigabit Network Connection")],
        [driven("e1000", "0000:05:01.0")],
        [VMWARE_CARD],
        [driven("virtio_net", "0000:00:03.0"), QEMU_CARD],
        [driven("igb", "0000:02:00.0"), Topology(cpus=4, hypervisor="KVM")],
        [driven("r8169", "0000:03:00.0")],
    ],
)
def test_near_misses(facts: list[Fact]) -> None:
    """Of the chipset, behind a root port, an old card, a paravirtual one, one that is passed through."""
    assert suspicion(CAUSE, *facts) is None


def test_a_model_alone_asks_whether_the_machine_is_virtual() -> None:
    """Old cards of that kind exist."""
    found = glance(CAUSE, driven("e1000", "0000:02:01.0"))
    assert found is not None
    assert (Judgement.UNKNOWN, True) == (found.verdict, "systemd-detect-virt" in found.asks[0].text)


def test_of_several_cards_only_the_links_own_counts() -> None:
    """The one at its bus address."""
    assert suspicion(CAUSE, driven("virtio_net", "0000:00:03.0"), QEMU_CARD) is None
