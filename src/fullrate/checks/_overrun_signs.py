"""The signs of why a receiver's NIC discards frames while the CPU that takes them has room, one for each cause."""

from dataclasses import dataclass

from fullrate.checks._bus import file_of, offers_no
from fullrate.checks._common import growth, link_of, mtu, saw
from fullrate.checks._overrun import Overrun, driver_counters
from fullrate.records.facts.bus import DevicePath, PcieErrors
from fullrate.records.facts.ethtool import Coalescing, DriverInfo, Rings
from fullrate.records.finding import Evidence
from fullrate.records.goodput import WIRE_OVERHEAD
from fullrate.records.units import BITS_PER_BYTE, MICROSECONDS
from fullrate.records.view import Missing, View

# Of the ring: so many frames may come before the interrupt does, for the CPU needs time too, and frames go on coming.
_FILLED = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Sign:
    """Whether one cause's own evidence is there, in words, and the evidence."""

    holds: bool
    words: str
    evidence: tuple[Evidence, ...] = ()


def replays(view: View, found: Overrun) -> Sign:
    """PCIe errors of the device or of the port above it that came with the discards. Raises Missing."""
    end = view.receiver
    if not end.need(DevicePath, link_of(end)).pci:
        return Sign(holds=False, words="the device is not on PCIe")
    deltas = view.window(found.trial, end).deltas(PcieErrors)
    if not deltas:
        raise end.missing(PcieErrors, end.interface)
    grown = {
        f"{name}, level {delta.after.level}": growth(end, PcieErrors, delta.before.corrected.get(name), number)
        for delta in deltas
        for name, number in delta.after.corrected.items()
    }
    seen = tuple(saw(deltas[0].source, name, f"+{number}") for name, number in grown.items() if number)
    none = (saw(deltas[0].source, "corrected errors", "+0"),)
    words = "the PCIe link corrects errors while frames are discarded" if seen else "no PCIe error came"
    return Sign(holds=bool(seen), words=words, evidence=seen or none)


def bus_waits(view: View, found: Overrun) -> Sign:
    """The driver's own counters of waiting for PCIe or memory. Raises Missing."""
    end = view.receiver
    end.need(DriverInfo, link_of(end))
    recipe = view.recipe(end)
    if recipe is None or not recipe.bus_slow:
        return Sign(holds=False, words="this driver counts no waiting for PCIe or memory")
    grown, evidence = driver_counters(view, found.trial, recipe.bus_slow)
    words = "the NIC waits for PCIe or memory" if grown else "the NIC did not wait for PCIe or memory"
    return Sign(holds=grown > 0, words=words, evidence=tuple(evidence))


def timer_fills_ring(view: View, _: Overrun) -> Sign:
    """More frames than half a ring holds come before the interrupt may. Raises Missing."""
    end = view.receiver
    if offers_no(end, Coalescing, link_of(end)) or offers_no(end, Rings, link_of(end)):
        return Sign(holds=False, words="the driver tells no interrupt delay or no ring")
    settings, rings = end.need(Coalescing, link_of(end)), end.need(Rings, link_of(end))
    usecs, most = settings.parameters.get("rx-usecs"), settings.parameters.get("rx-frames") or 0
    if settings.adaptive_rx or not usecs or not rings.rx:
        return Sign(holds=False, words="the interrupt delay is adaptive, none, or not to be told")
    if view.speed is None:
        raise Missing("the link's speed")
    rate = view.speed / BITS_PER_BYTE / (mtu(view) + WIRE_OVERHEAD)
    waiting = min(rate * usecs / MICROSECONDS, most or rate)
    evidence = (
        saw(end.source_of(settings), "rx-usecs", usecs),
        saw(end.source_of(rings), "rx", rings.rx),
        saw("arithmetic", "full frames in that time", round(waiting)),
    )
    holds = waiting >= _FILLED * rings.rx
    return Sign(holds=holds, words="interrupts wait until the ring is full" if holds else "the ring outlasts the delay",
                evidence=evidence)  # fmt: skip


def ring_can_grow(view: View, _: Overrun) -> Sign:
    """The receive ring is smaller than the driver allows. Raises Missing."""
    end = view.receiver
    if offers_no(end, Rings, link_of(end)):
        return Sign(holds=False, words="the driver does not tell its receive ring")
    rings = end.need(Rings, link_of(end))
    if rings.rx is None or rings.rx_max is None:
        return Sign(holds=False, words="the driver does not tell its receive ring")
    evidence = (saw(end.source_of(rings), "rx of rx_max", f"{rings.rx} of {rings.rx_max}"),)
    words = "the receive ring is small" if rings.rx < rings.rx_max else "the receive ring is as large as it can be"
    return Sign(holds=rings.rx < rings.rx_max, words=words, evidence=evidence)


def sleeps(view: View, _: Overrun) -> Sign:
    """ASPM L1 is on between the NIC and the root. Raises Missing, also when the kernel does not control ASPM."""
    end = view.receiver
    path = end.need(DevicePath, link_of(end))
    states = {step: step.l1_aspm for step in path.pci if step.l1_aspm is not None}
    if path.pci and not states:
        raise end.missing(DevicePath, path.subject)
    evidence = tuple(
        saw(file_of(path, step, "link/l1_aspm"), "L1", "on" if on else "off") for step, on in states.items()
    )
    on = any(states.values())
    return Sign(holds=on, words="the PCIe link may sleep (ASPM L1)" if on else "ASPM L1 is off", evidence=evidence)
