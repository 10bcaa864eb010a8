"""What the kernel wrote into its log about links, their devices and limits that were reached."""

from dataclasses import dataclass
from enum import StrEnum

from fullrate.records.facts.base import Fact
from fullrate.records.units import Seconds


class LogEvent(StrEnum):
    """What a line of the log tells."""

    LINK_UP = "link_up"
    LINK_DOWN = "link_down"
    DOWNSHIFT = "downshift"  # the PHY fell back to a lower speed
    TRANSMIT_HANG = "transmit_hang"  # the driver found its transmit unit stuck
    TRANSMIT_TIMEOUT = "transmit_timeout"  # the kernel's watchdog saw a queue stand still
    ADAPTER_RESET = "adapter_reset"
    PCIE_NARROW = "pcie_narrow"  # less PCIe bandwidth than the device could use
    PCIE_ERROR = "pcie_error"
    CONNTRACK_FULL = "conntrack_full"
    TABLE_FULL = "table_full"  # another table of the kernel: neighbours, orphans, half-open connections
    THERMAL_THROTTLING = "thermal_throttling"
    USB_RESET = "usb_reset"
    FIRMWARE = "firmware"  # a driver's firmware is missing or failed
    TCP_MEMORY = "tcp_memory"  # TCP reached net.ipv4.tcp_mem
    TIME_WAIT_FULL = "time_wait_full"  # more connections wait for late packets than are kept
    WIFI_NARROWED = "wifi_narrowed"  # a radio may not use the wide channel, or the fast rates, that it was to use


@dataclass(frozen=True, slots=True, kw_only=True)
class KernelMessage(Fact):
    """One line; subject: the link, or the device where no link is named, empty when neither is.

    `time` is seconds of the host's wall clock where the log has it, since boot where it has that, None without either.
    """

    event: LogEvent
    text: str
    time: Seconds | None = None
    device: str | None = None  # bus address, e.g. 0000:01:00.0

    @property
    def identity(self) -> str:
        """A subject may say the same thing many times."""
        return f"{self.subject} {self.event} {self.time} {self.text}"


@dataclass(frozen=True, slots=True, kw_only=True)
class KernelLog(Fact):
    """That the log was read: its lines, how many KernelMessage facts came of them, the first and the last time."""

    lines: int
    messages: int = 0
    first: Seconds | None = None
    last: Seconds | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class KernelModule(Fact):
    """One module as `modinfo` shows it; subject: its name."""

    path: str | None = None  # (builtin) for one that is part of the kernel
    version: str | None = None  # the driver's own, where it has one
