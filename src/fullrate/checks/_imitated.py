"""NICs that hypervisors imitate, by what listings of a virtual machine show of the device and of the machine.

A real card is rarely where the imitation sits. QEMU, VirtualBox and Hyper-V put it on PCI bus 0, the root (hw/i386/pc.c
of QEMU), while a PCIe card is behind a root port, so on another bus, and a PCI card behind a bridge since chipsets
have been PCIe. Only what belongs to the chipset is on bus 0: the e1000e kind at device 19 or 1f.
"""

import re
from collections.abc import Iterator

from fullrate.checks._common import UNTESTED, saw, unknown
from fullrate.checks._glance import latest, suspect
from fullrate.records.facts.bus import PciDevice
from fullrate.records.facts.cpu import Topology
from fullrate.records.facts.ethtool import DriverInfo
from fullrate.records.facts.processor import Machine
from fullrate.records.finding import Ask, Evidence, Finding
from fullrate.records.view import View

# What hypervisors offer as a NIC: QEMU's e1000, e1000e, rtl8139 and pcnet; VirtualBox's and VMware's Intel and AMD
# ones; Hyper-V's legacy adapter. By lspci's names, and by the drivers that serve little else today.
_MODELS = re.compile(r"82540EM |82545EM |82543GC |82574L |RTL-?8139|/8139|79[Cc]97\d|PCnet|DECchip 21140")
_DRIVERS = {"e1000", "8139cp", "pcnet32"}
_CHIPSET = re.compile(r"0000:00:(?:19\.0|1f\.6)")  # of Intel's since ICH8: no imitation sits there
_ROOT = "0000:00:"
_HYPERVISORS = ("QEMU", "VMware", "innotek", "Microsoft", "Xen", "Red Hat", "oVirt", "OpenStack", "Parallels", "KVM")
# Devices and CPUs that only hypervisors have
_INVENTED = re.compile(r"Virtio|QEMU|QXL|VMware|VirtualBox|InnoTek|Hyper-V|XenSource|Bochs|Parallels|440FX|82371SB")
_INVENTED_CPU = re.compile(r"QEMU Virtual|Common (?:32-bit )?KVM")


def imitated(view: View, cause: str) -> Finding | None:
    """An imitated model in what is a virtual machine; where nothing tells that it is one, the question."""
    end, driver = view.here, latest(view, DriverInfo)
    device = _device(view, driver)
    model = _model(view, driver, device)
    if model is None:
        return None
    place = device.subject if device else driver.bus_info if driver else None
    signs = list(_signs(view, place))
    name = view.here.interface or "the link"
    asks = (Ask(text="systemd-detect-virt; lscpu | grep Hypervisor", end=end.end),)
    if not signs:
        words = f"{name} has a model that hypervisors imitate: whether this is a virtual machine is not told"
        return unknown(cause, words, [model], end=end.end, subject=name, asks=asks)
    words = f"a hypervisor imitates the NIC of {name} ({model.value}): {UNTESTED}"
    return suspect(view, cause, words, [model, *signs], asks=asks)


def _device(view: View, driver: DriverInfo | None) -> PciDevice | None:
    """The link's device as lspci shows it; the only network device where nothing tells whose is which."""
    cards = [one for one in view.here.all(PciDevice) if one.subject and one.is_network]
    if driver is not None and driver.bus_info:
        return next((one for one in cards if one.subject == driver.bus_info), None)
    return cards[0] if len({one.subject for one in cards}) == 1 else None


def _model(view: View, driver: DriverInfo | None, device: PciDevice | None) -> Evidence | None:
    """What says that the model is one of those."""
    if device is not None and _MODELS.search(device.name):
        return saw(view.here.source_of(device), device.subject, device.name.partition(": ")[2])
    recipe = None if driver is None else view.recipes.get(driver.driver)
    known = driver is not None and (driver.driver in _DRIVERS or (recipe is not None and recipe.emulated))
    if driver is None or (not known and not _is_misplaced(driver)):
        return None
    return saw(view.here.source_of(driver), "driver", driver.driver)


def _is_misplaced(driver: DriverInfo) -> bool:
    """An e1000e on bus 0 that is no part of a chipset."""
    place = driver.bus_info or ""
    return driver.driver == "e1000e" and place.startswith(_ROOT) and not _CHIPSET.fullmatch(place)


def _is_virtual(machine: Machine) -> bool:
    return bool(machine.hypervisor) or any(name in (machine.vendor or "") for name in _HYPERVISORS)


def _signs(view: View, place: str | None) -> Iterator[Evidence]:
    """What tells that the machine is a virtual one."""
    end = view.here
    topology = end.want(Topology)
    if topology and (topology.hypervisor or _INVENTED_CPU.search(topology.model or "")):
        yield saw(end.source_of(topology), "hypervisor", topology.hypervisor or topology.model)
    machine = end.want(Machine)
    if machine and _is_virtual(machine):
        yield saw(end.source_of(machine), "machine", machine.hypervisor or machine.vendor)
    for one in end.all(PciDevice):
        if _INVENTED.search(one.name):
            yield saw(end.source_of(one), one.subject, one.name)
    if place and place.startswith(_ROOT) and not _CHIPSET.fullmatch(place):
        yield saw("arithmetic", "PCI bus", f"{place} is on the root bus, where no card is")
