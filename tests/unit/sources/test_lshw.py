"""The parser of `lshw -class network`."""

import pytest

from fullrate.records.errors import FormatError
from fullrate.records.facts.ethtool import DriverInfo, LinkMode
from fullrate.sources.lshw import SOURCE
from tool_output import GARBAGE
from unit.sources.pasted import ASKED, facts, pasted

LAPTOP = pasted("lshw_10m")


def test_the_mode_of_a_link() -> None:
    """Speed, duplex, and what the driver supports."""
    found = facts(SOURCE, LAPTOP, LinkMode)["enp0s31f6"]
    assert (10e6, "Full", True, True) == (found.speed, found.duplex, found.autonegotiation, found.link_detected)
    assert ("10baseT/Half", "10baseT/Full", "100baseT/Half", "100baseT/Full", "1000baseT/Full") == found.supported


def test_the_driver_of_a_link() -> None:
    """With its place on the bus, and a port of two words after it."""
    expected = DriverInfo(
        subject="enp0s31f6", driver="e1000e", version="3.2.6-k", firmware_version="0.1-4", bus_info="0000:00:1f.6"
    )
    assert expected == facts(SOURCE, LAPTOP, DriverInfo)["enp0s31f6"]
    assert "twisted pair" == facts(SOURCE, LAPTOP, LinkMode)["enp0s31f6"].port


def test_other_devices_are_passed_over() -> None:
    """Only networks are read."""
    assert {"enp0s31f6"} == set(facts(SOURCE, LAPTOP + b"  *-usb\n       driver: x\n", LinkMode))


@pytest.mark.parametrize("payload", [*GARBAGE, b"", b"  *-usb\n", b" *-network\n   size: fast\n"])
def test_other_text_is_refused(payload: bytes) -> None:
    """No network device, or a speed that is none."""
    with pytest.raises(FormatError):
        SOURCE.parse(ASKED, payload)
