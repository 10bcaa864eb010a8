"""`lspci -vv`: how fast and how wide each device's PCIe link is, what it could be, its driver.

    01:00.0 Ethernet controller: Intel Corporation 82599ES 10-Gigabit SFI/SFP+ Network Connection (rev 01)
                    LnkCap: Port #0, Speed 5GT/s, Width x8, ASPM L0s, Exit Latency L0s <1us
                    LnkCtl: ASPM L1 Enabled; RCB 64 bytes, Disabled- CommClk+
                    LnkSta: Speed 5GT/s, Width x4 (downgraded)
            Kernel driver in use: ixgbe

    Slot:   0000:01:00.0
    Class:  Ethernet controller
    Driver: ixgbe

Form: pciutils' ls-caps.c (cap_express_link) and lspci.c; the second is -vmm. `(ok)` and `(downgraded)` came with
pciutils 3.6. Reading the capabilities needs root: `Capabilities: <access denied>`. `lspci -nn` adds numbers.
"""

import re
from collections.abc import Iterable, Iterator

from fullrate.records.errors import FormatError
from fullrate.records.evidence import Request, query
from fullrate.records.facts.bus import PciDevice
from fullrate.records.leaf import Source, no_requests, runs
from fullrate.records.parsing import decimal, whole
from fullrate.sources._text import lines_of

_ADDRESS = r"(?:[0-9a-f]{4,8}:)?[0-9a-f]{2}:[0-9a-f]{2}\.[0-7]"
_HEAD = re.compile(rf"\s*({_ADDRESS}) ([A-Z][^:]*: .+)")
_SLOT = re.compile(rf"(?:Slot|Device):\s+({_ADDRESS})")
_FIELD = re.compile(r"(Class|Vendor|Device|Driver):\s+(.+)")
_LINK = re.compile(r"\s*Lnk(Cap|Sta):\s*(.*)")
_SPEED = re.compile(r"Speed (\d+(?:\.\d+)?)GT/s")
_WIDTH = re.compile(r"Width x(\d+)")
_ASPM = re.compile(r"\s*LnkCtl:\s*ASPM ([^;]*)")
_DRIVER = re.compile(r"\s*Kernel driver in use: (\S+)")
_OURS = re.compile(rf"^[ \t]*({_ADDRESS} [A-Z][^:\n]*: |Slot:\s+{_ADDRESS}|Lnk(Cap|Sta):\s)", re.MULTILINE)


def _blocks(lines: Iterable[str]) -> Iterator[list[str]]:
    """The lines of each device; those before the first heading are one of a device whose heading was cut off."""
    block: list[str] = []
    for line in lines:
        if (_HEAD.fullmatch(line) or _SLOT.fullmatch(line)) and block:
            yield block
            block = []
        block.append(line)
    if block:
        yield block


def _link(block: list[str], which: str) -> tuple[float | None, int | None]:
    text = next((found[2] for line in block if (found := _LINK.fullmatch(line)) and found[1] == which), "")
    speed, width = _SPEED.search(text), _WIDTH.search(text)
    return decimal(speed[1]) if speed else None, whole(width[1]) if width else None


def _address(text: str) -> str:
    return text if text.count(":") > 1 else f"0000:{text}"


def _heading(block: list[str]) -> tuple[str, str]:
    """The device's address and name; empty where they were cut off."""
    head, slot = _HEAD.fullmatch(block[0]), _SLOT.fullmatch(block[0])
    if head:
        return _address(head[1]), head[2]
    if slot is None:
        return "", ""
    fields = {found[1]: found[2] for line in block[1:] if (found := _FIELD.fullmatch(line))}
    return _address(slot[1]), f"{fields.get('Class', '')}: {fields.get('Vendor', '')} {fields.get('Device', '')}"


def _device(block: list[str]) -> PciDevice:
    address, name = _heading(block)
    used = (_DRIVER.fullmatch(line) or re.fullmatch(r"Driver:\s+(\S+)", line) for line in block)
    sleep = next((found[1] for line in block if (found := _ASPM.match(line))), None)
    (most, widest), (speed, width) = _link(block, "Cap"), _link(block, "Sta")
    return PciDevice(
        subject=address,
        name=name,
        driver=next((found[1] for found in used if found), None),
        speed=speed,
        width=width,
        max_speed=most,
        max_width=widest,
        l1_aspm=None if sleep is None else "L1" in sleep and "Enabled" in sleep,
    )


def parse(_: Request, payload: bytes) -> tuple[PciDevice, ...]:
    """Every device. Raises FormatError."""
    blocks = tuple(_blocks(lines_of(payload)))
    devices = tuple(map(_device, blocks))
    known = tuple(device for device in devices if device.subject or device.width or device.max_width)
    if not known:
        raise FormatError("neither a device nor its PCIe link: not of lspci")
    return known


SOURCE = Source(
    id="lspci",
    facts=(PciDevice,),
    requests=no_requests,
    pasted=lambda _: query("lspci"),
    answers=runs("lspci"),
    recognizes=lambda text: _OURS.search(text) is not None,
    parse=parse,
)
