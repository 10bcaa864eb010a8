"""PCIe and USB links as a log, lspci and lsusb show them, of devices whose network link is not known."""

import re

from fullrate.checks._bus import pcie_capacity, usb_capacity
from fullrate.checks._common import saw
from fullrate.checks._glance import latest, suspect
from fullrate.checks._log_glance import lines, told
from fullrate.records.facts.bus import BusStep, PciDevice, UsbDevice
from fullrate.records.facts.ethtool import DriverInfo, LinkMode, mode_speed
from fullrate.records.facts.kernel_log import LogEvent
from fullrate.records.finding import Confidence, Finding
from fullrate.records.units import MEGABIT, BitsPerSecond
from fullrate.records.view import View

_AVAILABLE = re.compile(r"(\d+\.\d+) Gb/s available")
_GIGA = 10**9
_GIGABIT = re.compile(r"\b(1G|2\.5G|5G|10G|GbE|[Gg]igabit)|1000")
# Drivers of USB adapters that do 1 Gbit/s and more (drivers/net/usb: r8152.c, ax88179_178a.c, aqc111.c, lan78xx.c)
_FAST_DRIVERS = {"r8152", "ax88179_178a", "aqc111", "lan78xx"}
_NETWORK = re.compile(r"\bLAN\b|[Ee]thernet|GbE|Network")


def narrow_message(view: View, cause: str) -> Finding | None:
    """The kernel's word that a device gets less than it could use; nothing where its link needs no more."""
    found, mode = told(view, LogEvent.PCIE_NARROW), latest(view, LinkMode)
    if not found:
        return None
    available = _AVAILABLE.search(found[-1].text)
    capacity = float(available[1]) * _GIGA if available else None
    if mode is not None and mode.speed and capacity is not None and capacity >= mode.speed:
        return None
    name = found[-1].device or found[-1].subject
    words = f"the PCIe link of {name} carries less than the device could use: the kernel's log says so"
    sure = Confidence.HIGH if mode is not None and mode.speed else Confidence.MEDIUM
    return suspect(view, cause, words, lines(view, found), subject=name, confidence=sure)


def narrow_device(view: View, cause: str) -> Finding | None:
    """The device of the link, or the one network device shown, with less speed or width than it could have."""
    device, needed = _device(view), _needed(view)
    capacity = None if device is None else _lessened(device)
    if device is None or capacity is None or (needed is not None and capacity >= needed):
        return None
    seen = saw(
        view.here.source_of(device),
        f"LnkSta of LnkCap, {device.subject}",
        f"{device.speed:g} GT/s x{device.width} of {device.max_speed:g} GT/s x{device.max_width}",
    )
    name = device.name or "the device"
    words = f"PCIe carries {capacity / _GIGA:.1f} Gbit/s to {name}: {device.speed:g} GT/s x{device.width}"
    sure = Confidence.HIGH if needed is not None else Confidence.MEDIUM
    return suspect(view, cause, words, [seen], subject=device.subject, confidence=sure)


def _lessened(device: PciDevice) -> BitsPerSecond | None:
    """What a device's link carries when that is less than it could be; None otherwise, and where it is not shown."""
    now, most = (device.speed, device.width), (device.max_speed, device.max_width)
    if not all((*now, *most)) or now == most:
        return None
    return pcie_capacity(BusStep(level=0, speed=device.speed, width=device.width))


def _device(view: View) -> PciDevice | None:
    driver = latest(view, DriverInfo)
    found = [one for one in view.here.all(PciDevice) if one.is_network]
    own = [one for one in found if driver is not None and one.subject and one.subject == driver.bus_info]
    shown = own or [one for one in found if one.width]
    return shown[0] if own or len({one.subject.rpartition(".")[0] for one in shown}) == 1 else None


def _needed(view: View) -> BitsPerSecond | None:
    """The speed of the link, or the fastest that it supports."""
    mode = latest(view, LinkMode)
    if mode is None:
        return None
    return mode.speed or max(filter(None, map(mode_speed, mode.supported)), default=None)


def slow_usb(view: View, cause: str) -> Finding | None:
    """A network adapter for 1 Gbit/s or more that got a slower bus."""
    for device in view.here.all(UsbDevice):
        capacity = usb_capacity(device.speed)
        fast = device.driver in _FAST_DRIVERS or (_NETWORK.search(device.name) and _GIGABIT.search(device.name))
        if not fast or capacity is None or capacity >= _GIGA:
            continue
        bus = f"{device.speed / MEGABIT:g} Mbit/s"
        seen = saw(view.here.source_of(device), f"{device.subject} {device.name}", bus)
        name, most = device.name or device.driver, f"{capacity / MEGABIT:.0f} Mbit/s"
        words = f"the adapter {name} hangs on a USB bus of {bus}, which carries {most} at most"
        return suspect(view, cause, words, [seen], subject=device.subject, confidence=Confidence.HIGH)
    return None
