"""What PCIe and USB can carry, by the arithmetic of their own encodings; what kind of link it is."""

from collections.abc import Iterable

from fullrate.checks._common import rate
from fullrate.checks._given import is_device
from fullrate.records.evidence import Status
from fullrate.records.facts.base import Fact
from fullrate.records.facts.bus import BusStep, DevicePath
from fullrate.records.facts.cpu import Topology
from fullrate.records.facts.link import Link
from fullrate.records.units import BitsPerSecond
from fullrate.records.view import EndView, View

_GIGA = 10**9
# GT/s: up to it a byte takes ten bits on the wire, above it 130 bits carry 128 (drivers/pci/pci.h, PCIE_SPEED2MBS_ENC)
_OLD_SPEEDS = 5.0
_OLD_CODE, _NEW_CODE = 8 / 10, 128 / 130
# A write packet of 256 bytes, the smallest maximum that servers set (MPS), has 24 to 26 bytes around it: framing,
# sequence number, header of four words, LCRC (PCIe base specification, 2.2 and 3.5).
_PACKET = 256 / (256 + 26)
# What a USB device's bus carries at most, by its signalling rate. Low rates: whole packets in a frame (USB 2.0,
# tables 5-9 and 5-10: 19 of 64 bytes in 1 ms, 13 of 512 bytes in 125 us); above by the line code (USB 3.2, 6.3.1:
# 8b/10b at 5 Gbit/s a lane, 128b/132b at 10).
_USB: dict[int, BitsPerSecond] = {
    12_000_000: 19 * 64 * 8 * 1_000,
    480_000_000: 13 * 512 * 8 * 8_000,
    5_000_000_000: 4e9,
    10_000_000_000: 10e9 * 128 / 132,
    20_000_000_000: 20e9 * 128 / 132,
}


def pcie_capacity(step: BusStep) -> BitsPerSecond | None:
    """Bytes of payload as bits per second that a PCIe device's link carries one way; None when it tells no link."""
    if not step.speed or not step.width:
        return None
    code = _OLD_CODE if step.speed <= _OLD_SPEEDS else _NEW_CODE
    return step.speed * _GIGA * code * step.width * _PACKET


def narrowest(steps: Iterable[BusStep]) -> tuple[BusStep, BitsPerSecond] | None:
    """The PCIe link that carries least on the way to the root, and how much; None when none tells its width."""
    known = [(step, capacity) for step in steps if (capacity := pcie_capacity(step)) is not None]
    return min(known, key=lambda pair: pair[1], default=None)


def usb_capacity(rate: BitsPerSecond) -> BitsPerSecond | None:
    """Payload that a USB bus of this signalling rate carries; None for a rate that no standard has."""
    return _USB.get(round(rate))


def is_virtual(end: EndView, link: str) -> bool:
    """Whether the link is made by the kernel, not by a device. Raises Missing."""
    return not is_device(end, link) and end.need(Link, link).kind is not None


def offers_no(end: EndView, kind: type[Fact], link: str) -> bool:
    """Whether the link's driver said that it has no such thing; not being able to ask is something else."""
    return any(gap.status is Status.UNSUPPORTED and link in gap.tried.split() for gap in end.gaps(kind))


def is_guest(end: EndView) -> bool:
    """Whether the host is a virtual machine: its PCIe links are invented. Raises Missing."""
    return end.need(Topology).hypervisor is not None


def file_of(path: DevicePath, step: BusStep, name: str) -> str:
    """Where one value of a device was read, as a request a person can repeat."""
    return f"read /sys/class/net/{path.subject}/device{'/..' * step.level}/{name}"


def bus_cost(view: View, capacity: BitsPerSecond) -> BitsPerSecond:
    """What a bus of this capacity takes from the goodput ceiling; 0 when no ceiling is known.

    The bus carries frames; the payload's share of them is the same as on the link.
    """
    ceiling = view.ceilings.get(view.direction)
    if ceiling is None or not view.speed:
        return 0.0
    best = max((rate(trial) for trial in view.trials), default=0.0)
    return max(0.0, ceiling - max(best, capacity * ceiling / view.speed))
