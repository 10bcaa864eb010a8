"""The parser of the kernel's log."""

import pytest

from fullrate.records.errors import FormatError
from fullrate.records.evidence import query
from fullrate.records.facts.kernel_log import KernelLog, KernelMessage, LogEvent
from fullrate.records.leaf import Scope
from fullrate.sources.dmesg import SOURCE, parse
from tool_output import GARBAGE, ran, recorded

ASKED = ran("dmesg --time-format iso")


def log(payload: bytes) -> KernelLog:
    """The fact that the log was read."""
    return next(fact for fact in parse(ASKED, payload) if isinstance(fact, KernelLog))


def messages(payload: bytes) -> list[KernelMessage]:
    """The events of a log."""
    return [fact for fact in parse(ASKED, payload) if isinstance(fact, KernelMessage)]


def only(text: str) -> KernelMessage:
    """The one event of a line."""
    (message,) = messages(f"[   12.500000] {text}\n".encode())
    return message


def test_asked_form_is_read() -> None:
    """Wall clock, in seconds; a log without events has its frame alone."""
    read = log(recorded("phy/dmesg_iso_linux-6.18.txt"))
    assert (8, 0, 1796043055.015269, 1796043091.372431) == (read.lines, read.messages, read.first, read.last)


def test_plain_form_counts_from_boot() -> None:
    """Small numbers."""
    read = log(recorded("phy/dmesg_plain_linux-6.18.txt"))
    assert 0 < (read.first or 0) < (read.last or 0) < 100_000


def test_recorded_hang_and_reset() -> None:
    """The lines between them belong to the first."""
    hang, reset = messages(recorded("phy/dmesg_e1000e_hang.txt"))
    assert (LogEvent.TRANSMIT_HANG, "eno1", "0000:00:1f.6", 499735.511825) == (
        *(hang.event, hang.subject, hang.device, hang.time),
    )
    assert (LogEvent.ADAPTER_RESET, "eno1", 499735.611606) == (reset.event, reset.subject, reset.time)


def test_recorded_flapping() -> None:
    """Five losses and five returns of one link."""
    found = messages(recorded("phy/dmesg_bcmgenet_flapping.txt"))
    assert {"eth0"} == {message.subject for message in found}
    assert [5, 5] == [sum(one.event is event for one in found) for event in (LogEvent.LINK_DOWN, LogEvent.LINK_UP)]


def test_recorded_downshift_names_the_phy() -> None:
    """No link is named, and no time."""
    (message,) = messages(recorded("phy/dmesg_rtl8211f_downshift.txt"))
    assert (LogEvent.DOWNSHIFT, "mdio_mux-0.0:00", None) == (message.event, message.subject, message.time)


def test_recorded_syslog_prefixes() -> None:
    """With and without date and host before the kernel's own time."""
    found = messages(recorded("phy/dmesg_conntrack_full.txt"))
    assert [38775494.392631, 38775494.393661] == [message.time for message in found[:2]]
    assert {(LogEvent.CONNTRACK_FULL, "")} == {(message.event, message.subject) for message in found}


def test_recorded_narrow_slot() -> None:
    """Below the prompt of a paste."""
    (message,) = messages(recorded("phy/dmesg_82599_narrow.txt"))
    assert (LogEvent.PCIE_NARROW, "0000:01:00.0") == (message.event, message.subject)


def test_recorded_bus_error() -> None:
    """Corrected, without times."""
    (message,) = messages(recorded("phy/dmesg_aer_corrected.txt"))
    assert (LogEvent.PCIE_ERROR, "0000:07:00.0") == (message.event, message.subject)


def test_recorded_label() -> None:
    """The line of a virtual NIC that comes up."""
    (message,) = messages(recorded("phy/dmesg_vmxnet3_up.txt"))
    assert (LogEvent.LINK_UP, "ens192") == (message.event, message.subject)


@pytest.mark.parametrize(
    ("text", "event", "subject"),
    [
        ("igb 0000:81:00.0 eth3: igb: eth3 NIC Link is Down", LogEvent.LINK_DOWN, "eth3"),
        ("e1000e: eno1 NIC Link is Down", LogEvent.LINK_DOWN, "eno1"),
        ("ixgbevf 0000:01:10.0: NIC Link is Down", LogEvent.LINK_DOWN, "0000:01:10.0"),
        ("mlx5_core 0000:01:00.0 ens1f0np0: Link down", LogEvent.LINK_DOWN, "ens1f0np0"),
        ("tg3 0000:02:00.0 eno1: Link is up at 1000 Mbps, full duplex", LogEvent.LINK_UP, "eno1"),
        ("r8169 0000:03:00.0 enp3s0: Link is Up - 1Gbps/Full - flow control off", LogEvent.LINK_UP, "enp3s0"),
        ("igb 0000:01:00.0 enp1s0: Link Speed was downgraded by SmartSpeed", LogEvent.DOWNSHIFT, "enp1s0"),
        ("ixgbe 0000:01:00.0 eth1: Detected Tx Unit Hang", LogEvent.TRANSMIT_HANG, "eth1"),
        (
            "igb 0000:01:00.0 eth1: NETDEV WATCHDOG: CPU: 2: transmit queue 0 timed out 5012 ms",
            *(LogEvent.TRANSMIT_TIMEOUT, "eth1"),
        ),
        (
            "NETDEV WATCHDOG: enp3s0 (r8169): transmit queue 0 timed out",
            *(LogEvent.TRANSMIT_TIMEOUT, "enp3s0"),
        ),
        (
            "mce: CPU3: Core temperature is above threshold, cpu clock is throttled (total events = 7)",
            *(LogEvent.THERMAL_THROTTLING, ""),
        ),
        ("neighbour: arp_cache: neighbor table overflow!", LogEvent.TABLE_FULL, ""),
        ("ipv4: Neighbour table overflow.", LogEvent.TABLE_FULL, ""),
        ("TCP: too many orphaned sockets", LogEvent.TABLE_FULL, ""),
        (
            "TCP: request_sock_TCP: Possible SYN flooding on port 80. Dropping request.  Check SNMP counters.",
            *(LogEvent.TABLE_FULL, ""),
        ),
        ("usb 2-1.4: reset SuperSpeed USB device number 3 using xhci_hcd", LogEvent.USB_RESET, "2-1.4"),
        ("r8169 0000:03:00.0: Unable to load firmware rtl_nic/rtl8125b-2.fw (-2)", LogEvent.FIRMWARE, "0000:03:00.0"),
    ],
)
def test_each_driver_words_it_its_own_way(text: str, event: LogEvent, subject: str) -> None:
    """One event, one subject: the link, or the device where no link is named."""
    message = only(text)
    assert (event, subject, text) == (message.event, message.subject, message.text)


@pytest.mark.parametrize(
    "text",
    [
        "ata1: SATA link down (SStatus 0 SControl 300)",
        "pcieport 0000:00:1c.0: pciehp: Slot(0): Link Down",
        "br0: port 1(frta2) entered disabled state",
        "IPv6: ADDRCONF(NETDEV_UP): ens192: link is not ready",
        "usb 2-1: new SuperSpeed USB device number 2 using xhci_hcd",
        "pci 0000:01:00.0: 63.008 Gb/s available PCIe bandwidth (8.0 GT/s PCIe x8 link)",
    ],
)
def test_near_misses_tell_nothing(text: str) -> None:
    """Disks, slots and a link at its full width."""
    assert [] == messages(f"[   12.500000] {text}\n".encode())


def test_human_time_is_taken_as_utc() -> None:
    """`dmesg -T`."""
    (message,) = messages(b"[Mon Nov 30 12:51:31 2026] r8169 0000:03:00.0 enp3s0: Link is Down\n")
    assert 1796043091.0 == message.time


def test_newest_of_many_are_kept() -> None:
    """A log full of one line stays small, and says how many facts it gave."""
    lines = b"".join(b"[%5d.000000] nf_conntrack: table full, dropping packet\n" % number for number in range(500))
    found = messages(lines)
    assert (32, 499.0, 500, 32) == (len(found), found[-1].time, log(lines).lines, log(lines).messages)


def test_same_line_at_two_times_is_two_facts() -> None:
    """Their identities differ."""
    one, other = messages(b"[    1.000000] a b eth0: Link is Down\n[    2.000000] a b eth0: Link is Down\n")
    assert one.identity != other.identity


def test_cleared_log_is_read_as_empty() -> None:
    """`dmesg -C` was used: it holds nothing, and that was seen."""
    assert (KernelLog(lines=0),) == parse(ASKED, b"")


@pytest.mark.parametrize("end", [5, 20])
def test_truncated_line_is_refused(end: int) -> None:
    """Cut within the time of the only line."""
    with pytest.raises(FormatError):
        parse(ASKED, recorded("phy/dmesg_iso_linux-6.18.txt")[:end])


@pytest.mark.parametrize("payload", GARBAGE)
def test_other_text_is_refused(payload: bytes) -> None:
    """No time and no event."""
    with pytest.raises(FormatError):
        parse(ASKED, payload)


def test_impossible_time_is_refused() -> None:
    """It looks like a time and is none."""
    with pytest.raises(FormatError, match="no time"):
        parse(ASKED, b"[Mon Nov 31 12:51:31 2026] something\n")


def test_it_is_asked_once_a_host() -> None:
    """The log is the host's."""
    assert (query("dmesg", "--time-format", "iso"),) == SOURCE.requests(Scope(links=("a", "b")))


def test_every_spelling_is_answered() -> None:
    """A recording may hold the plain form."""
    commands = ("dmesg --time-format iso", "dmesg", "dmesg -T", "journalctl -k")
    assert [True, True, True, False] == [SOURCE.answers(ran(command)) for command in commands]


@pytest.mark.parametrize(
    ("text", "event"),
    [
        ("TCP: out of memory -- consider tuning tcp_mem", LogEvent.TCP_MEMORY),
        ("TCP: time wait bucket table overflow", LogEvent.TIME_WAIT_FULL),
        ("TCP: request_sock_TCP: Possible SYN flooding on port 8009. Sending cookies.", LogEvent.TABLE_FULL),
    ],
)
def test_limits_of_the_kernel(text: str, event: LogEvent) -> None:
    """The whole host's: no link is named."""
    message = only(text)
    assert (event, "") == (message.event, message.subject)


@pytest.mark.parametrize(
    "text",
    [
        "wlan0: disabling HT/VHT/HE as WMM/QoS is not supported by the AP",
        "wlan0: 20/40 MHz operation not permitted on channel pri=6 sec=2 based on overlapping BSSes",
    ],
)
def test_a_radio_that_may_not_use_its_channel(text: str) -> None:
    """The kernel's words and hostapd's."""
    message = only(text)
    assert (LogEvent.WIFI_NARROWED, "wlan0") == (message.event, message.subject)
