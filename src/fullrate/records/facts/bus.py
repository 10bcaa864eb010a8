"""Where a link's device sits: PCI and USB above it, memory node, the bus's own error counters; subject: ifname."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from fullrate.records.facts.base import Fact
from fullrate.records.units import BitsPerSecond


@dataclass(frozen=True, slots=True, kw_only=True)
class BusStep:
    """One device on the way from the link up to the root; `level` 0 is the link's own device."""

    level: int
    driver: str | None = None
    pci_address: str | None = None  # 0000:01:00.0; None: no PCI device
    speed: float | None = None  # of a PCIe lane, in GT/s
    width: int | None = None  # lanes in use
    max_speed: float | None = None  # what this device could do
    max_width: int | None = None
    l1_aspm: bool | None = None  # None: the kernel does not control ASPM there
    iommu: str | None = None  # domain type: DMA, DMA-FQ, identity
    usb_speed: BitsPerSecond | None = None  # a USB device's signalling rate; None: no USB device


@dataclass(frozen=True, slots=True, kw_only=True)
class DevicePath(Fact):
    """The devices from a link up to the root, and the memory node they hang on."""

    steps: tuple[BusStep, ...]
    numa_node: int | None = None  # None: the firmware names none, or there is one
    local_cpus: tuple[int, ...] = ()

    @property
    def pci(self) -> tuple[BusStep, ...]:
        """The PCI devices, the link's own first."""
        return tuple(step for step in self.steps if step.pci_address)

    @property
    def usb(self) -> BusStep | None:
        """The USB device the link belongs to; None when it is on another bus."""
        return next((step for step in self.steps if step.usb_speed is not None), None)

    @property
    def driver(self) -> str | None:
        """The driver of the link's own device."""
        return self.steps[0].driver if self.steps else None


@dataclass(frozen=True, slots=True, kw_only=True)
class PcieErrors(Fact):
    """Errors one PCIe device counted since boot: corrected ones, and the sum of those it could not correct."""

    level: int  # 0: the link's own device, 1: the port above it
    corrected: Mapping[str, int] = field(default_factory=dict)  # by kind: RxErr, BadTLP, ...
    uncorrected: int | None = None

    @property
    def identity(self) -> str:
        """The link and the level: a link has several devices above it."""
        return f"{self.subject} {self.level}"


@dataclass(frozen=True, slots=True, kw_only=True)
class PciDevice(Fact):
    """One device as `lspci` shows it; subject: its address with the domain, empty where that was cut off."""

    name: str
    driver: str | None = None
    speed: float | None = None  # of a lane, in GT/s
    width: int | None = None
    max_speed: float | None = None
    max_width: int | None = None
    l1_aspm: bool | None = None

    @property
    def is_network(self) -> bool:
        """Whether it is a network controller, or lspci's heading was cut off."""
        return not self.name or any(word in self.name for word in ("Ethernet", "Network", "Infiniband", "etwork"))


@dataclass(frozen=True, slots=True, kw_only=True)
class UsbDevice(Fact):
    """One interface of a USB device as `lsusb -t` shows it; subject: its bus and ports, 2-1.4."""

    name: str  # its class, or what the vendor calls it
    speed: BitsPerSecond  # the signalling rate in use
    driver: str | None = None
