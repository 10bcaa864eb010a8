"""The parser of `lspci`."""

import pytest

from fullrate.records.errors import FormatError
from fullrate.records.facts.bus import PciDevice
from fullrate.sources.lspci import SOURCE
from tool_output import GARBAGE
from unit.sources.pasted import ASKED, claimants, facts, pasted

NIC = b"""\
01:00.0 Ethernet controller: Intel Corporation 82599ES (rev 01)
\tCapabilities: [a0] Express (v2) Endpoint, MSI 00
\t\tLnkCap:\tPort #2, Speed 5GT/s, Width x8, ASPM L0s, Exit Latency L0s <1us
\t\tLnkCtl:\tASPM L1 Enabled; RCB 64 bytes, Disabled- CommClk+
\t\tLnkSta:\tSpeed 2.5GT/s (downgraded), Width x4 (downgraded)
\tKernel driver in use: ixgbe
0001:02:00.0 VGA compatible controller: Matrox
"""
MACHINE = b"Slot:\t0000:03:00.0\nClass:\tEthernet controller\nVendor:\tIntel\nDevice:\tI210\nDriver:\tigb\n"


def test_every_field_of_a_nic() -> None:
    """Both sides of the link, the sleep state and the driver."""
    expected = PciDevice(
        subject="0000:01:00.0",
        name="Ethernet controller: Intel Corporation 82599ES (rev 01)",
        driver="ixgbe",
        speed=2.5,
        width=4,
        max_speed=5.0,
        max_width=8,
        l1_aspm=True,
    )
    assert expected == facts(SOURCE, NIC, PciDevice)["0000:01:00.0"]


def test_only_nics_are_network_devices() -> None:
    """By the class's name."""
    assert [True, False] == [one.is_network for one in facts(SOURCE, NIC, PciDevice).values()]


def test_the_machine_readable_form() -> None:
    """`lspci -vmmk`."""
    found = facts(SOURCE, MACHINE, PciDevice)["0000:03:00.0"]
    assert ("igb", "Ethernet controller: Intel I210") == (found.driver, found.name)


def test_grepped_lines_are_of_a_device_without_a_name() -> None:
    """People show the two lines that matter."""
    (found,) = facts(
        SOURCE, b"\tLnkCap: Speed 8GT/s, Width x8\n\tLnkSta: Speed 8GT/s (ok), Width x4 (downgraded)\n", PciDevice
    ).values()
    assert ("", 4, 8, True) == (found.subject, found.width, found.max_width, found.is_network)


def test_virtual_devices_have_no_link() -> None:
    """A recorded answer of a virtual machine."""
    found = facts(SOURCE, pasted("lspci_vv"), PciDevice)
    assert "0000:00:00.0" in found
    assert {None} == {device.width for device in found.values()}


@pytest.mark.parametrize("payload", [*GARBAGE, b"", b"\tKernel driver in use: igb\n"])
def test_other_text_is_refused(payload: bytes) -> None:
    """No device and no link."""
    with pytest.raises(FormatError):
        SOURCE.parse(ASKED, payload)


@pytest.mark.parametrize("payload", [NIC, MACHINE])
def test_it_alone_claims_its_text(payload: bytes) -> None:
    """In both forms."""
    assert ["lspci"] == claimants(payload)
