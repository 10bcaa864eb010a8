"""The USB bus a network adapter hangs on is slower than its network port.

What counts is the signalling rate of the adapter's own USB device (/sys/.../speed in Mbit/s, Documentation/ABI/stable/
sysfs-bus-usb): a hub, a cable or a port of USB 2 in between brings it down to 480.
"""

from dataclasses import dataclass

from fullrate.checks._bus import bus_cost, file_of, is_virtual, usb_capacity
from fullrate.checks._bus_glance import slow_usb
from fullrate.checks._common import clear, link_of, not_applicable, problem, saw
from fullrate.records.facts.bus import BusStep, DevicePath
from fullrate.records.facts.ethtool import LinkMode
from fullrate.records.finding import Confidence, Finding, Remedy
from fullrate.records.leaf import Check, Per
from fullrate.records.units import MEGABIT, BitsPerSecond
from fullrate.records.view import View

CAUSE = "usb-link-too-slow"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Bus:
    """The adapter's USB device, its signalling rate and what that carries."""

    step: BusStep
    rate: BitsPerSecond
    capacity: BitsPerSecond


def diagnose(view: View) -> Finding:
    """Whether the USB bus below this link is slower than the link."""
    end, link = view.here, link_of(view.here)
    if is_virtual(end, link):
        return not_applicable(CAUSE, f"{link} is no physical link", subject=link)
    path = end.need(DevicePath, link)
    usb, rate = path.usb, path.usb.usb_speed if path.usb else None
    capacity = usb_capacity(rate) if rate else None
    if usb is None or rate is None or capacity is None:
        return not_applicable(CAUSE, f"{link} is not on a USB bus of a known rate", subject=link)
    return _judge(view, path, _Bus(step=usb, rate=rate, capacity=capacity))


def _judge(view: View, path: DevicePath, found: _Bus) -> Finding:
    end, link, capacity = view.here, path.subject, found.capacity
    mode = end.need(LinkMode, link)
    if mode.speed is None:
        raise end.missing(LinkMode, link)
    bus = f"{found.rate / MEGABIT:g} Mbit/s"
    evidence = [
        saw(file_of(path, found.step, "speed"), "USB signalling rate", bus),
        saw("arithmetic", "most payload of that bus, Mbit/s", round(capacity / MEGABIT)),
        saw(end.source_of(mode), "speed", f"{mode.speed / MEGABIT:g} Mbit/s"),
    ]
    if capacity >= mode.speed:
        return clear(CAUSE, f"the USB bus ({bus}) carries what the link does", evidence, subject=link)
    return problem(
        CAUSE,
        f"{link} hangs on a USB bus of {bus}, which carries {capacity / MEGABIT:.0f} Mbit/s at most",
        evidence,
        subject=link,
        confidence=Confidence.HIGH,
        costs_bps=bus_cost(view, capacity),
        remedies=(_remedy(view, link),),
    )


def _remedy(view: View, link: str) -> Remedy:
    return Remedy(
        knob="usb.port",
        subject=link,
        value="a faster USB port",
        end=view.here.end,
        commands=(),
        undo=(),
        note="use a port, a cable and a hub of USB 3 or faster; lsusb -t shows the rate each device got; a plug that is"
        " not fully in, or turned, may fall back to USB 2",
    )


def glance(view: View) -> Finding | None:
    """What a tree of the USB devices shows of a network adapter."""
    return slow_usb(view, CAUSE)


CHECK = Check(id=CAUSE, cause=CAUSE, diagnose=diagnose, per=Per.LINK, glance=glance)
