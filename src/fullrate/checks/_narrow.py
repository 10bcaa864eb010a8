"""What the kernel's log says of the PCIe link of a network card, where nothing else of the device was given.

    ixgbe 0000:01:00.0: 4.000 Gb/s available PCIe bandwidth, limited by 5.0 GT/s PCIe x1 link at 0000:00:00.0
        (capable of 32.000 Gb/s with 5.0 GT/s PCIe x8 link)
    ixgbe 0000:82:00.0: This is not sufficient for optimal performance of this card.

The first is drivers/pci/pci.c, __pcie_print_link_status: it compares with what the card could, not with its port. The
second a driver writes that knows what its ports need (ixgbe before Linux 5.1, i40e).
"""

import re

from fullrate.checks._common import clear, link_of, problem, unknown
from fullrate.checks._link_events import line
from fullrate.records.facts.bus import DevicePath
from fullrate.records.facts.ethtool import LinkMode
from fullrate.records.facts.kernel_log import KernelMessage, LogEvent
from fullrate.records.finding import Ask, Confidence, Finding
from fullrate.records.units import BitsPerSecond
from fullrate.records.view import EndView, View

_GIGA = 1e9
_BANDWIDTH = re.compile(r"(\d+\.\d+) Gb/s available PCIe bandwidth.*capable of (\d+\.\d+) Gb/s")
# Of what the card could: cards are made with at most about twice what one of their ports needs for each port, so with
# a quarter of it one port may still run (82599: 32 for two of 10; ConnectX-5: 126 for 100; I210: 4 for 1).
_MUCH_LESS = 0.25


def by_log(view: View, cause: str) -> Finding:
    """Whether the log tells of a PCIe link too narrow for the card. Raises Missing when it tells of none."""
    end = view.here
    said = [one for one in end.all(KernelMessage) if one.event is LogEvent.PCIE_NARROW]
    if not said:
        raise end.missing(DevicePath, link_of(end))
    message = min(said, key=lambda one: (_available(one)[0], one.text))
    available, able = _available(message)
    speed = _speed(view, end)
    more = {"subject": message.device or message.subject, "end": end.end}
    evidence = [line(end, message)]
    if not able:
        words = f"the driver of {message.device or message.subject} says that PCIe is too slow for the card"
        return problem(cause, words, evidence, **more)
    words = f"PCIe carries {available / _GIGA:g} Gbit/s to {message.device or message.subject}"
    if speed is not None and available >= speed:
        return clear(cause, f"{words}, more than the link", evidence, confidence=Confidence.MEDIUM, **more)
    if speed is not None or available < _MUCH_LESS * able:
        sure = Confidence.LOW if speed is None else Confidence.MEDIUM
        return problem(cause, f"{words}; the card could take {able / _GIGA:g}", evidence, confidence=sure, **more)
    ask = Ask(text="ethtool of that link: its Speed, to compare with what PCIe carries", end=end.end)
    return unknown(cause, f"{words}; how fast its port is, is not known", evidence, asks=(ask,), **more)


def _available(message: KernelMessage) -> tuple[BitsPerSecond, BitsPerSecond]:
    """What PCIe carries and what the card could take; zeros where the line names no figure."""
    found = _BANDWIDTH.search(message.text)
    return (float(found[1]) * _GIGA, float(found[2]) * _GIGA) if found else (0.0, 0.0)


def _speed(view: View, end: EndView) -> BitsPerSecond | None:
    mode = end.want(LinkMode, link_of(end))
    return view.promise.link_speed or (None if mode is None else mode.speed)
