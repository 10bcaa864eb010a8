"""The lines of the kernel's log that become facts, and what each of them is about."""

import re
from dataclasses import dataclass

from fullrate.records.facts.kernel_log import LogEvent

# `subject` is the word before: the link, or the device of a driver that names no link
_EVENTS = {
    # the lower-case ones are drivers/net/mii.c's, and never without the colon: SATA links go up and down as well
    LogEvent.LINK_DOWN: r"(?P<subject>\S+?)(?:: link down|:? (?:NIC )?Link (?:is [Dd]own|down))",
    LogEvent.LINK_UP: r"(?P<subject>\S+?)(?:: link up|:? (?:NIC )?Link (?:is [Uu]p|up))",
    # phy_check_downshift; igb_main.c and igc_main.c
    LogEvent.DOWNSHIFT: r"(?P<subject>\S+): (?:Downshift occurred|Link Speed was downgraded by SmartSpeed)",
    LogEvent.TRANSMIT_HANG: r"(?P<subject>\S+): Detected (?:Hardware|Tx) Unit Hang",  # Intel's drivers
    LogEvent.ADAPTER_RESET: r"(?P<subject>\S+): Reset adapter",  # the same
    LogEvent.TRANSMIT_TIMEOUT: r"(?:(?P<subject>\S+): NETDEV WATCHDOG: CPU|NETDEV WATCHDOG: (?P<older>\S+) \()",
    LogEvent.PCIE_NARROW: (
        r"(?P<subject>\S+): (?:\d+\.\d+ Gb/s available PCIe bandwidth, limited by"
        # ixgbe before Linux 5.1; i40e
        r"|This is not sufficient for optimal performance of this card"
        r"|PCI-Express bandwidth available for this device may be insufficient)"
    ),
    LogEvent.PCIE_ERROR: r"(?P<subject>\S+): (?:AER: )?PCIe Bus Error: ",
    LogEvent.CONNTRACK_FULL: r"nf_conntrack: (?:nf_conntrack: )?table full, dropping packet",
    # net/core/neighbour.c (net/ipv4/route.c before 3.6), net/ipv4/tcp.c, net/ipv4/tcp_input.c
    LogEvent.TABLE_FULL: (
        r"[Nn]eighbou?r table overflow|TCP: too many (?:of )?orphaned sockets"
        r"|Possible SYN flooding on port \S+ (?:Dropping request|Sending cookies)"
    ),
    LogEvent.THERMAL_THROTTLING: r"temperature (?:is )?above threshold, cpu clock (?:is )?throttled",
    LogEvent.USB_RESET: r"usb (?P<subject>\S+): reset \S+ USB device",
    LogEvent.FIRMWARE: r"(?P<subject>\S+): (?:Unable to load firmware|Direct firmware load for \S+ failed)",
    # net/ipv4: tcp.c (tcp_check_oom), tcp_minisocks.c
    LogEvent.TCP_MEMORY: r"TCP: out of memory -- consider tuning tcp_mem",
    LogEvent.TIME_WAIT_FULL: r"TCP: time wait bucket table overflow",
    # hostapd's hw_features.c; net/mac80211/mlme.c
    LogEvent.WIFI_NARROWED: (
        r"(?P<subject>\S+): (?:20/40 MHz operation not permitted|disabling (?:HT|VHT|HE)\b.* (?:due to|as) )"
    ),
}
_PATTERNS = {event: re.compile(pattern) for event, pattern in _EVENTS.items()}
_HINT = re.compile(  # spares most lines the patterns above
    "[Ll]ink |Downshift|SmartSpeed|Unit Hang|Reset adapter|NETDEV WATCHDOG|available PCIe"
    "|optimal performance|may be insufficient|PCIe Bus Error|table full|table overflow|orphaned|SYN flooding"
    "|cpu clock|USB device|irmware|TCP: out of|MHz operation|disabling "
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What a line tells, and of which link or device; of none that is named where `subject` is empty."""

    event: LogEvent
    subject: str


def may_tell(text: str) -> bool:
    """Whether a line is worth the search for every event."""
    return _HINT.search(text) is not None


def told(text: str) -> Told | None:
    """What a line tells; None of most lines."""
    if not may_tell(text):
        return None
    found = ((event, pattern.search(text)) for event, pattern in _PATTERNS.items())
    event, match = next(((event, match) for event, match in found if match), (None, None))
    if event is None or match is None:
        return None
    named = match.groupdict()
    return Told(event=event, subject=named.get("subject") or named.get("older") or "")
