"""The PCIe link of the NIC, or of a bridge above it, carries less than the network link.

Speed times width times line code times the share of payload in a packet, for every link up to the root; the narrowest
counts (drivers/pci/pci.c, pcie_bandwidth_available, does the same without the packets' headers). Virtual machines
invent these links, so nothing is said of them.
"""

from fullrate.checks._bus import bus_cost, file_of, is_guest, is_virtual, narrowest
from fullrate.checks._bus_glance import narrow_device, narrow_message
from fullrate.checks._common import clear, link_of, not_applicable, problem, saw
from fullrate.checks._link_events import last_words
from fullrate.records.facts.bus import BusStep, DevicePath
from fullrate.records.facts.ethtool import LinkMode
from fullrate.records.facts.kernel_log import LogEvent
from fullrate.records.finding import Confidence, Evidence, Finding, Remedy
from fullrate.records.leaf import Check, Per
from fullrate.records.units import BitsPerSecond
from fullrate.records.view import View

CAUSE = "pcie-link-narrow"
_GIGA = 10**9


def diagnose(view: View) -> Finding:
    """Whether the way from this link's NIC to the root is too narrow for the link."""
    end, link = view.here, link_of(view.here)
    if is_virtual(end, link):
        return not_applicable(CAUSE, f"{link} is no physical link", subject=link)
    path = end.need(DevicePath, link)
    narrow = None if path.usb else narrowest(path.pci)
    if narrow is None:
        return not_applicable(CAUSE, f"{link} has no PCIe link that tells its width", subject=link)
    if is_guest(end):
        return not_applicable(CAUSE, "the PCIe links of a virtual machine are invented", subject=link)
    mode = end.need(LinkMode, link)
    if mode.speed is None:
        raise end.missing(LinkMode, link)
    step, capacity = narrow
    evidence = [*_seen(path, step, capacity), saw(end.source_of(mode), "speed", f"{mode.speed / _GIGA:g} Gbit/s")]
    if capacity >= mode.speed:
        return clear(CAUSE, f"PCIe carries {capacity / _GIGA:.1f} Gbit/s, more than the link", evidence, subject=link)
    return _narrow(view, path, step, capacity, evidence)


def _seen(path: DevicePath, step: BusStep, capacity: BitsPerSecond) -> tuple[Evidence, ...]:
    return (
        saw(file_of(path, step, "current_link_speed"), "speed", f"{step.speed:g} GT/s"),
        saw(file_of(path, step, "current_link_width"), "width", f"x{step.width} at {step.pci_address}"),
        saw("arithmetic", "GT/s x line code x width x 256 / 282, Gbit/s", f"{capacity / _GIGA:.2f}"),
    )


def _narrow(view: View, path: DevicePath, step: BusStep, capacity: BitsPerSecond, evidence: list[Evidence]) -> Finding:
    own = path.pci[0]
    evidence += last_words(view.here, LogEvent.PCIE_NARROW, path.subject, own.pci_address or "")
    return problem(
        CAUSE,
        f"PCIe carries {capacity / _GIGA:.1f} Gbit/s to {path.subject}: {step.speed:g} GT/s x{step.width}"
        f" at {step.pci_address}",
        evidence,
        subject=path.subject,
        confidence=Confidence.HIGH,
        costs_bps=bus_cost(view, capacity),
        remedies=(
            Remedy(
                knob="pci.slot",
                subject=path.subject,
                value="a slot as wide and fast as the card",
                end=view.here.end,
                commands=(),
                undo=(),
                note=f"the card can do {_most(own)}; use a slot wired for that, reseat the card, look for a firmware"
                " setting that limits the slot",
            ),
        ),
    )


def _most(own: BusStep) -> str:
    return f"{own.max_speed:g} GT/s x{own.max_width}" if own.max_speed and own.max_width else "what its data sheet says"


def glance(view: View) -> Finding | None:
    """What the kernel logged, or lspci shows, of a PCIe link below what its device can do."""
    return narrow_message(view, CAUSE) or narrow_device(view, CAUSE)


CHECK = Check(id=CAUSE, cause=CAUSE, diagnose=diagnose, per=Per.LINK, glance=glance)
