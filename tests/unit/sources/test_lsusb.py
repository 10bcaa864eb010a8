"""The parser of `lsusb -t`."""

import pytest

from fullrate.records.errors import FormatError
from fullrate.records.facts.bus import UsbDevice
from fullrate.sources.lsusb import SOURCE
from tool_output import GARBAGE
from unit.sources.pasted import ASKED, claimants, facts, pasted

TREE = b"""\
/:  Bus 02.Port 1: Dev 1, Class=root_hub, Driver=xhci_hcd/4p, 5000M
    |__ Port 1: Dev 2, If 0, Class=Hub, Driver=hub/4p, 5000M
        |__ Port 4: Dev 3, If 0, Class=Vendor Specific Class, Driver=r8152, 480M
/:  Bus 001.Port 001: Dev 001, Class=root_hub, Driver=xhci_hcd/4p, 480M
    |__ Port 003: Dev 002, If 0, Class=Human Interface Device, Driver=[none], 1.5M
"""


def test_places_speeds_and_drivers() -> None:
    """Of both generations' numbers."""
    found = facts(SOURCE, TREE, UsbDevice)
    assert {"2-1": 5e9, "2-1.4": 480e6, "1-3": 1.5e6} == {place: device.speed for place, device in found.items()}
    assert ["hub", "r8152", None] == [device.driver for device in found.values()]


def test_the_layout_of_a_nas() -> None:
    """The adapter stands behind a hub."""
    found = facts(SOURCE, pasted("lsusb_nas"), UsbDevice)["5-1.2"]
    assert 480e6 == found.speed
    assert found.name.startswith("Realtek USB 10/100/1G/2.5G/5G LAN")


def test_root_hubs_alone_have_no_device() -> None:
    """Nothing is plugged in."""
    assert () == SOURCE.parse(ASKED, TREE.splitlines()[0])


@pytest.mark.parametrize("payload", [*GARBAGE, b""])
def test_other_text_is_refused(payload: bytes) -> None:
    """No tree."""
    with pytest.raises(FormatError):
        SOURCE.parse(ASKED, payload)


def test_it_alone_claims_its_text() -> None:
    """A tree of usbutils."""
    assert ["lsusb"] == claimants(TREE)
