"""`lsusb -t`: the USB tree with the signalling rate of each device.

    /:  Bus 02.Port 1: Dev 1, Class=root_hub, Driver=xhci_hcd/4p, 5000M
        |__ Port 2: Dev 3, If 0, Class=Vendor Specific Class, Driver=r8152, 5000M

    |__usb5          1d6b:0002:0510 09  2.00  480MBit/s 0mA 1IF  (Linux xhci-hcd xHCI Host Controller) hub
        |__5-1.2     0bda:8157:3000 00  2.10  480MBit/s 500mA 1IF  (Realtek USB 10/100/1G/2.5G/5G LAN)

Form: usbutils' lsusb-t.c, indented by four a level; before version 016 numbers had no leading zeros. The second layout
is of NAS systems, and older usbutils' own `lsusb.py`. Rates are megabits per second.
"""

import re
from collections.abc import Iterator

from fullrate.records.errors import FormatError
from fullrate.records.evidence import Request, query
from fullrate.records.facts.bus import UsbDevice
from fullrate.records.leaf import Source, no_requests, runs
from fullrate.records.parsing import decimal, whole
from fullrate.records.units import MEGABIT
from fullrate.sources._text import lines_of

_BUS = re.compile(r"/:\s+Bus (\d+)\.Port \d+: .*?, (\d+(?:\.\d+)?)M(?:/.*)?")
_NODE = re.compile(
    r"(?P<indent>\s*)\|__ Port (?P<port>\d+): Dev \d+, If \d+, Class=(?P<name>[^,]*), "
    r"Driver=(?P<driver>[^,]*), (?P<speed>\d+(?:\.\d+)?)M(?:/.*)?"
)
_OTHER = re.compile(
    r"\s*\|__(?P<place>usb\d+|\d+-[\d.]+)\s+[0-9a-f]{4}:[0-9a-f]{4}\S*\s.*?"
    r"\s(?P<speed>\d+(?:\.\d+)?)MBit/s .*?\((?P<name>.*)\).*"
)
_OURS = re.compile(r"^(/:\s+Bus \d+\.Port|[ \t]*\|__ ?(Port \d+: Dev|usb\d+\s|\d+-[\d.]+\s))", re.MULTILINE)
_LEVEL = 4  # blanks


def _tree(lines: tuple[str, ...]) -> Iterator[UsbDevice]:
    bus, ports = "", list[str]()
    for line in lines:
        head, node, other = _BUS.fullmatch(line), _NODE.fullmatch(line), _OTHER.fullmatch(line)
        if head:
            bus, ports = str(whole(head[1])), []
        elif node:
            level = max(1, len(node["indent"]) // _LEVEL)
            ports = [*ports[: level - 1], str(whole(node["port"]))]
            driver = node["driver"].partition("/")[0]
            yield UsbDevice(
                subject=f"{bus}-{'.'.join(ports)}",
                name=node["name"],
                speed=decimal(node["speed"]) * MEGABIT,
                driver=None if driver in {"", "[none]"} else driver,
            )
        elif other and not other["place"].startswith("usb"):
            yield UsbDevice(subject=other["place"], name=other["name"], speed=decimal(other["speed"]) * MEGABIT)


def parse(_: Request, payload: bytes) -> tuple[UsbDevice, ...]:
    """Every interface of every device but the root hubs. Raises FormatError when there is no tree."""
    lines = lines_of(payload)
    if not any(map(_OURS.match, lines)):
        raise FormatError("no bus and no port of a USB tree: not of lsusb -t")
    return tuple(_tree(lines))


SOURCE = Source(
    id="lsusb",
    facts=(UsbDevice,),
    requests=no_requests,
    pasted=lambda _: query("lsusb", "-t"),
    answers=runs("lsusb"),
    recognizes=lambda text: _OURS.search(text) is not None,
    parse=parse,
)
