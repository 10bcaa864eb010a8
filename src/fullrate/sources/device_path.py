"""`grep -sH '' FILE...`: the devices from a link up to the root, by the number of `..` after the link's `device`.

    /sys/class/net/eth3/device/uevent:DRIVER=igb
    /sys/class/net/eth3/device/uevent:PCI_SLOT_NAME=0000:81:00.0
    /sys/class/net/eth3/device/current_link_speed:2.5 GT/s PCIe
    /sys/class/net/eth3/device/current_link_width:1
    /sys/class/net/eth3/device/../uevent:PCI_SLOT_NAME=0000:80:00.0
    /sys/class/net/eth3/device/numa_node:1
    /sys/class/net/eth3/device/local_cpulist:2-3

The kernel follows the link `device` before it goes up, so every level is a real parent. Written by
drivers/pci/pci-sysfs.c (current_link_speed: `5 GT/s` before Linux 5.7, `5.0 GT/s PCIe` since, or Unknown),
drivers/pci/pcie/aspm.c (link/l1_aspm), drivers/usb/core/sysfs.c (speed, in Mbit/s) and drivers/iommu/iommu.c
(iommu_group/type). Virtual functions and virtual devices have no PCIe link files.
"""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence

from fullrate.records.errors import FormatError
from fullrate.records.evidence import QueryCommand, Request
from fullrate.records.facts.bus import BusStep, DevicePath
from fullrate.records.leaf import Source, for_many_devices
from fullrate.records.parsing import cpu_list, decimal
from fullrate.records.units import MEGABIT, BitsPerSecond
from fullrate.sources._grep import count, file_lines, grep, matched, mentions

_LEVELS = 6  # virtio, NIC, two ports of a switch, root port; one to spare
_ALL = (
    "uevent",
    "current_link_speed",
    "current_link_width",
    "max_link_speed",
    "max_link_width",
    "link/l1_aspm",
    "iommu_group/type",
    "speed",
)
_NEAR = ("numa_node", "local_cpulist")  # of the device itself; virtio has them one level up
_FORM = r"/sys/class/net/(?P<link>[^/]+)/device(?P<up>(?:/\.\.)*)/(?P<name>{})".format("|".join(_ALL + _NEAR))
_PATH = re.compile(_FORM)
_SPEED = re.compile(r"(\d+(?:\.\d+)?) GT/s.*")
_NO_WIDTH = {0, 63, 255}  # pcie_link_width of a link that is down, and PCIE_LNK_WIDTH_UNKNOWN
Values = Mapping[str, Sequence[str]]  # the lines of each file of one device


def _request(links: tuple[str, ...]) -> QueryCommand:
    return grep(*(file for link in links for file in _files(link)))


def _files(link: str) -> list[str]:
    folders = [f"/sys/class/net/{link}/device" + "/.." * level for level in range(_LEVELS)]
    files = [f"{folder}/{name}" for folder in folders for name in _ALL]
    return files + [f"{folder}/{name}" for folder in folders[:2] for name in _NEAR]


def _first(values: Values, name: str) -> str | None:
    return next(iter(values.get(name, ())), None)


def _uevent(values: Values, key: str) -> str | None:
    return next((line.partition("=")[2] for line in values.get("uevent", ()) if line.startswith(f"{key}=")), None)


def _lane_speed(text: str | None) -> float | None:
    found = _SPEED.fullmatch(text or "")
    return decimal(found[1]) if found else None


def _width(text: str | None) -> int | None:
    lanes = None if text is None else count(text)
    return None if lanes in _NO_WIDTH else lanes


def _usb_speed(values: Values) -> BitsPerSecond | None:
    """Of a USB device; what else has a file `speed` is none."""
    text = _first(values, "speed")
    if text is None or _uevent(values, "DEVTYPE") != "usb_device" or not text[:1].isdigit():
        return None
    return decimal(text) * MEGABIT


def _step(level: int, values: Values) -> BusStep:
    aspm = _first(values, "link/l1_aspm")
    return BusStep(
        level=level,
        driver=_uevent(values, "DRIVER"),
        pci_address=_uevent(values, "PCI_SLOT_NAME"),
        speed=_lane_speed(_first(values, "current_link_speed")),
        width=_width(_first(values, "current_link_width")),
        max_speed=_lane_speed(_first(values, "max_link_speed")),
        max_width=_width(_first(values, "max_link_width")),
        l1_aspm=None if aspm is None else aspm == "1",
        iommu=_first(values, "iommu_group/type"),
        usb_speed=_usb_speed(values),
    )


def _path(link: str, levels: Mapping[int, Values]) -> DevicePath:
    placed = next((values for _, values in sorted(levels.items()) if "numa_node" in values), {})
    node, cpus = _first(placed, "numa_node"), _first(placed, "local_cpulist")
    return DevicePath(
        subject=link,
        steps=tuple(_step(level, values) for level, values in sorted(levels.items()) if "uevent" in values),
        numa_node=None if node is None else count(node),
        local_cpus=cpu_list(cpus or ""),
    )


def _parse(_: Request, payload: bytes) -> tuple[DevicePath, ...]:
    files: dict[str, dict[int, dict[str, list[str]]]] = defaultdict(lambda: defaultdict(lambda: defaultdict(list)))
    for line in file_lines(payload):
        found = matched(line.path, _PATH)
        files[found["link"]][found["up"].count("..")][found["name"]].append(line.value)
    paths = tuple(path for link, levels in files.items() if (path := _path(link, levels)).steps)
    if not paths:
        raise FormatError("no uevent of any device")
    return paths


def _answers(request: Request) -> bool:
    return isinstance(request, QueryCommand) and request.argv[:1] == ("grep",) and bool(_PATH.search(request.argv[-1]))


SOURCE = Source(
    id="device_path",
    facts=(DevicePath,),
    requests=for_many_devices(_request),
    answers=_answers,
    recognizes=mentions(_FORM),
    parse=_parse,
)
