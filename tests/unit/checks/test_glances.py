"""Every glance: one host that must be suspected, and one near miss that must not."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from fullrate.records.facts.base import Fact
from fullrate.records.facts.bonding import Bond
from fullrate.records.facts.bus import PciDevice, UsbDevice
from fullrate.records.facts.cpu import Interrupt, Softnet
from fullrate.records.facts.ethtool import Channels, DriverInfo, Feature, Features, LinkMode, NicCounters, Rings
from fullrate.records.facts.kernel_log import KernelLog, KernelMessage, LogEvent
from fullrate.records.facts.limits import ConntrackCounters
from fullrate.records.facts.link import LinkCounters, Route
from fullrate.records.facts.net import EchoProbe, FilterRule, ProtocolCounters, Sysctl, TcpSocket
from fullrate.records.facts.phy import EnergyEfficiency, FecCounters, OpticalModule, PauseCounters
from fullrate.records.facts.processor import (
    CpuShares,
    FirmwareThrottling,
    FrequencyControl,
    FrequencyPolicy,
    Machine,
    ProcessShare,
    ThreadAffinity,
)
from fullrate.records.facts.qdisc import Policer, Qdisc
from fullrate.records.facts.queues import IrqAffinity, QueueCpus, ReceiveDrops, RssTable
from fullrate.records.facts.wifi import WifiChannel, WifiLink
from fullrate.records.finding import Confidence, Judgement
from unit.checks import shown
from unit.checks.glancing import CHECKS, glance, suspicion

LOW, MEDIUM, HIGH = Confidence.LOW, Confidence.MEDIUM, Confidence.HIGH
GIGABIT = ("100baseT/Full", "1000baseT/Full")


def nic(**counters: int) -> NicCounters:
    """What the driver counts."""
    return NicCounters(subject="eth0", counters=counters)


def mode(speed: float, *, supported: tuple[str, ...] = (), duplex: str = "Full") -> LinkMode:
    """How the link runs."""
    return LinkMode(subject="eth0", speed=speed, duplex=duplex, supported=supported)


def said(
    event: LogEvent, subject: str = "eth0", *, device: str | None = None, times: int = 1, every: float = 1.0
) -> list[KernelMessage]:
    """Lines of the kernel's log."""
    return [
        KernelMessage(subject=subject, event=event, text=f"{event} {number}", time=every * number, device=device)
        for number in range(times)
    ]


def irq(number: int, *counts: int) -> Interrupt:
    """The interrupt of one queue."""
    return Interrupt(
        subject=str(30 + number), counts=counts, cpus=(0, 1, 2, 3), action=f"PCI-MSI edge eth0-TxRx-{number}"
    )


def socket(held: float) -> TcpSocket:
    """A connection that its receiver's window held back for so many of 10 s."""
    return TcpSocket(
        local_address="",
        local_port=0,
        peer_address="",
        peer_port=0,
        state="ESTAB",
        busy=10.0,
        receive_window_limited=held,
    )


def clocked(highest: float) -> FrequencyControl:
    """One policy of a kernel that chooses the clock, of a CPU that can do 4 GHz."""
    policy = FrequencyPolicy(name="policy0", governor="schedutil", highest=highest, hardware_highest=4e9)
    return FrequencyControl(policies=(policy,))


def busy(pid: int, name: str, share: float) -> ProcessShare:
    """A process on a screen of top."""
    return ProcessShare(subject=str(pid), name=name, share=share)


def handled(*, squeezed: int) -> list[Softnet]:
    """Four CPUs of which the first has all the work; so many of its rounds ended early."""
    first = Softnet(subject="0", processed=1_288_000_000, dropped=0, time_squeeze=squeezed)
    return [first, *(Softnet(subject=str(cpu), processed=12_000_000, dropped=0, time_squeeze=1) for cpu in (1, 2, 3))]


def queue(*, dropped: int) -> Qdisc:
    """One without a rate that sent a million packets."""
    return Qdisc(subject="eth0", kind="fq_codel", handle="0:", parent=None, sent_packets=1_000_000, dropped=dropped)


def rule(text: str) -> FilterRule:
    """One that discarded packets."""
    return FilterRule(
        family="ip", table="filter", chain="INPUT", handle=1, hook="input", text=text, verdict="drop", packets=4031
    )


def features(*, fixed: bool) -> Features:
    """TSO off."""
    return Features(subject="eth0", features=(Feature(name="tcp-segmentation-offload", on=False, fixed=fixed),))


RECOVERED = KernelMessage(subject="eth0", event=LogEvent.LINK_UP, text="eth0: Link is Up - 1Gbps/Full", time=9.0)
SLEEPY = EnergyEfficiency(subject="eth0", supported=True, enabled=True, active=True)
LAN = UsbDevice(subject="2-1", name="Realtek USB 10/100/1G LAN", speed=480e6)
NARROW = PciDevice(
    subject="0000:01:00.0", name="Ethernet controller: X", speed=5.0, width=1, max_speed=5.0, max_width=8
)
TBF = Qdisc(subject="eth0", kind="tbf", handle="1:", parent=None, rate=10e6)
DIM = OpticalModule(subject="eth0", identifier="SFP", rx_powers=(-20.0,), rx_power_low_alarm=-18.0)

FULL_CORE = CpuShares(subject="31", busy=1.0, softirq=1.0)

RADIO = WifiLink(subject="eth0", frequency=5180, width=80, signal=-50.0, tx_rate=433.3e6, sent=10_000, retries=500)
AIR = WifiChannel(subject="eth0", frequency=5180, active=10.0, busy=2.0, receiving=1.0, sending=0.5)


def way(to: str, ifname: str, *, metric: int | None = None, gateway: str | None = None) -> Route:
    """A route of a table."""
    return Route(subject=to, ifname=ifname, metric=metric, gateway=gateway)


def stack(**counters: int) -> ProtocolCounters:
    """What TCP counts beyond the standard's counters."""
    return ProtocolCounters(subject="netstat", counters={f"TcpExt{name}": value for name, value in counters.items()})


SUSPECTS: list[tuple[str, Sequence[Fact], Confidence]] = [
    ("route-wrong-interface", [way("192.0.2.0/24", "eth0", metric=0), way("192.0.2.0/24", "eth2")], LOW),
    ("thermal-throttle", [FirmwareThrottling(bits=0x80008)], MEDIUM),
    ("thermal-throttle", [FirmwareThrottling(bits=0x80000)], LOW),
    ("thermal-throttle", [FirmwareThrottling(bits=0x60000)], LOW),
    ("nic-rx-overrun", [nic(rx_missed=3740, rx_packets=1_973_763), FULL_CORE], LOW),
    ("tcp-memory-pressure", [ProtocolCounters(subject="netstat", counters={"TcpExtTCPMemoryPressures": 2})], MEDIUM),
    ("kernel-limit", [ProtocolCounters(subject="netstat", counters={"TcpExtListenOverflows": 5000})], LOW),
    ("time-wait-overflow", [ProtocolCounters(subject="netstat", counters={"TcpExtTCPTimeWaitOverflow": 5000})], LOW),
    ("wifi-narrow-channel", [replace(RADIO, width=20)], MEDIUM),
    ("wifi-signal-low", [replace(RADIO, signal=-80.0, tx_rate=6e6)], MEDIUM),
    ("wifi-power-save", [replace(RADIO, power_save=True)], LOW),
    ("wifi-airtime-overhead", [RADIO, replace(AIR, busy=9.0, receiving=8.0)], LOW),
    ("wifi-coexistence", [RADIO, replace(AIR, busy=8.0)], MEDIUM),
    ("wifi-coexistence", [replace(RADIO, retries=6_000)], LOW),
    ("tcp-memory-pressure", said(LogEvent.TCP_MEMORY, ""), MEDIUM),
    ("tcp-memory-pressure", [stack(PruneCalled=13_336)], LOW),
    ("time-wait-overflow", said(LogEvent.TIME_WAIT_FULL, ""), MEDIUM),
    (
        "kernel-limit",
        [KernelMessage(event=LogEvent.TABLE_FULL, text="SYN flooding on port 80. Sending cookies.")],
        MEDIUM,
    ),
    ("fec-mismatch", [FecCounters(subject="eth0", uncorrectable_blocks=145)], MEDIUM),
    ("qdisc-drops", [queue(dropped=5000)], LOW),
    ("softirq-budget", [Softnet(subject="0", processed=100_000, dropped=0, time_squeeze=2000)], LOW),
    ("tunnel-crypto-cpu", [busy(7, "kworker/0:1-wg-crypt-wg0", 0.3), busy(8, "kworker/1:1-wg-crypt-wg0", 0.3)], MEDIUM),
    ("userspace-tunnel", [busy(7, "openvpn", 0.98)], MEDIUM),
    ("bond-balance-rr", [Bond(subject="bond0", mode="balance-rr")], MEDIUM),
    ("virt-nic-emulated", [DriverInfo(subject="eth0", driver="e1000"), Machine(vendor="QEMU")], MEDIUM),
    ("pcie-stall", [nic(rx_discards_phy=9000, rx_packets_phy=1_000_000)], MEDIUM),
    ("netfilter-drop", [rule("DROP tcp -- 0.0.0.0/0 tcp dpt:5201")], MEDIUM),
    ("nic-rx-overrun", [nic(rx_missed=3740, rx_packets=1_973_763)], MEDIUM),
    ("nic-rx-overrun", [nic(rx_overruns=1462), nic(rx_overruns=2485)], MEDIUM),
    ("nic-rx-overrun", [nic(**{"rxq0: rx_drops_no_frags": 3_885_606_854})], MEDIUM),
    (
        "nic-rx-overrun",
        [LinkCounters(subject="eth0", rx_packets=999_203), ReceiveDrops(subject="eth0", fifo=5571)],
        MEDIUM,
    ),
    (
        "rx-ring-too-small",
        [nic(rx_missed=3740, rx_packets=1_973_763), Rings(subject="eth0", rx=256, rx_max=4096)],
        MEDIUM,
    ),
    ("pcie-aspm", [nic(rx_missed=3740, rx_packets=1_973_763), PciDevice(name="Ethernet", l1_aspm=True)], MEDIUM),
    ("rx-crc-errors", [nic(RxFcsErr=2050, rx_packets=547)], MEDIUM),
    ("rx-crc-errors", [nic(rx_symbol_err_phy=5000)], MEDIUM),
    ("peer-sends-pause", [nic(rx_pause_ctrl_phy=1_266_552)], MEDIUM),
    ("peer-sends-pause", [NicCounters(subject="eth0", counters={"port.rx_priority_0_xoff": 9000})], MEDIUM),
    ("peer-sends-pause", [nic(mac_rx_mac_pause_num=9000)], MEDIUM),
    ("host-sends-pause", [nic(tx_prio3_pause=9000)], MEDIUM),
    ("nic-rx-overrun", [NicCounters(subject="eth0", counters={"port.rx_dropped": 101_400})], MEDIUM),
    ("host-sends-pause", [nic(tx_pause_ctrl_phy=1_266_552)], MEDIUM),
    ("host-sends-pause", [PauseCounters(subject="eth0", sent=5000)], MEDIUM),
    ("cloud-allowance-exceeded", [nic(bw_in_allowance_exceeded=3_241_329)], MEDIUM),
    ("rss-single-queue", [RssTable(subject="eth0", rings=8, table=(0, 0, 0, 0))], MEDIUM),
    ("rss-single-queue", [nic(rx_queue_0_packets=16_630_368_449, rx_queue_1_packets=0)], MEDIUM),
    ("irq-single-cpu", [irq(0, 356_669_796, 0, 17, 0), irq(1, 308_170_840, 0, 0, 1348)], MEDIUM),
    ("link-speed-downshift", [mode(1e8)], MEDIUM),
    ("link-speed-downshift", [mode(1e8, supported=GIGABIT)], MEDIUM),
    ("link-speed-downshift", said(LogEvent.DOWNSHIFT, "mdio_mux-0.0:00"), HIGH),
    ("duplex-mismatch", [mode(1e8, duplex="Half")], MEDIUM),
    ("duplex-mismatch", [mode(1e7, duplex="Half", supported=("10baseT/Half", "10baseT/Full"))], MEDIUM),
    ("optics-power-low", [DIM], MEDIUM),
    ("nic-tx-hang", [*said(LogEvent.TRANSMIT_HANG), *said(LogEvent.ADAPTER_RESET)], MEDIUM),
    ("nic-tx-hang", said(LogEvent.TRANSMIT_HANG, times=2), HIGH),
    ("nic-driver-bug", said(LogEvent.TRANSMIT_TIMEOUT), MEDIUM),
    ("link-flapping", said(LogEvent.LINK_DOWN, times=5), HIGH),
    ("link-flapping", [SLEEPY, *said(LogEvent.LINK_DOWN, times=5)], LOW),
    ("eee", [SLEEPY, *said(LogEvent.LINK_DOWN, times=5)], MEDIUM),
    ("conntrack-table-full", said(LogEvent.CONNTRACK_FULL, ""), HIGH),
    ("conntrack-table-full", [ConntrackCounters(entries=None, dropped=7, early_dropped=0, insert_failed=0)], MEDIUM),
    ("pcie-link-narrow", said(LogEvent.PCIE_NARROW, "0000:01:00.0", device="0000:01:00.0"), MEDIUM),
    ("pcie-link-narrow", [NARROW], MEDIUM),
    ("pcie-link-narrow", [NARROW, mode(1e10)], HIGH),
    ("usb-link-too-slow", [LAN], HIGH),
    ("rps-single-cpu", [QueueCpus(subject="eth0", queue="rx-0", rps_cpus=(0,))], MEDIUM),
    ("tc-shaper", [TBF], MEDIUM),
    ("tc-shaper", [Policer(subject="eth0", index="0x1", rate=1e8), mode(1e9)], MEDIUM),
    (
        "udp-rcvbuf-overflow",
        [ProtocolCounters(subject="snmp", counters={"UdpRcvbufErrors": 6126, "UdpInDatagrams": 9})],
        MEDIUM,
    ),
    ("receiver-zero-window", [socket(9.5)], MEDIUM),
    ("softirq-single-cpu", [CpuShares(subject="0", busy=0.99, softirq=0.98), CpuShares(subject="1", busy=0.1)], MEDIUM),
    ("softirq-single-cpu", [busy(12, "ksoftirqd/0", 0.93), busy(99, "curl", 0.32)], MEDIUM),
    ("softirq-single-cpu", handled(squeezed=12_580), LOW),
    ("cpu-bound-host", [CpuShares(busy=0.97, softirq=0.61, system=0.35)], MEDIUM),
    ("cpu-steal", [CpuShares(busy=0.5, steal=0.3)], MEDIUM),
    ("backlog-drops", [Softnet(subject="0", processed=1000, dropped=7, time_squeeze=0)], MEDIUM),
    ("offload-off", [features(fixed=False)], MEDIUM),
    ("single-rx-queue", [Channels(subject="eth0", combined=1, combined_max=8)], MEDIUM),
    (
        "virtio-single-queue",
        [DriverInfo(subject="eth0", driver="virtio_net"), Channels(subject="eth0", combined=1, combined_max=2)],
        MEDIUM,
    ),
    ("tcp-buffers-too-small", [Sysctl(subject="net.ipv4.tcp_rmem", value="4096 131072 3206752")], LOW),
    ("cpu-governor", [clocked(2e9)], LOW),
    ("thermal-throttle", said(LogEvent.THERMAL_THROTTLING, ""), MEDIUM),
    ("napi-thread-pinned", [ThreadAffinity(subject=str(pid), cpus=(3,)) for pid in range(4)], LOW),
    (
        "advertise-mask-limited",
        [
            LinkMode(
                subject="eth0",
                speed=1e9,
                supported=("1000baseT/Full", "2500baseT/Full"),
                advertised=("1000baseT/Full",),
                partner_advertised=("1000baseT/Full", "2500baseT/Full"),
                autonegotiation=True,
            )
        ],
        HIGH,
    ),
]

MISSES: list[tuple[str, Sequence[Fact]]] = [
    ("route-wrong-interface", [way("192.0.2.0/24", "eth0"), way("198.51.100.0/24", "eth2")]),
    ("route-wrong-interface", [way("192.0.2.0/24", "eth0", metric=100), way("192.0.2.0/24", "wlan0", metric=600)]),
    ("route-wrong-interface", [way("192.0.2.0/24", "eth0"), way("192.0.2.0/24", "docker0")]),
    ("route-wrong-interface", [way("192.0.2.0/24", "eth0"), way("192.0.2.0/24", "eth2", gateway="198.51.100.1")]),
    ("route-wrong-interface", [way("169.254.0.0/16", "eth0"), way("169.254.0.0/16", "eth2")]),
    ("route-wrong-interface", [way("default", "eth0"), way("default", "eth2")]),
    ("thermal-throttle", [FirmwareThrottling(bits=0x0)]),
    ("thermal-throttle", [FirmwareThrottling(bits=0x70005)]),
    ("tcp-memory-pressure", [stack(PruneCalled=136)]),
    (
        "tcp-memory-pressure",
        [stack(PruneCalled=13_336), ProtocolCounters(subject="snmp", counters={"TcpInSegs": 10**9})],
    ),
    ("kernel-limit", [ProtocolCounters(subject="netstat", counters={"TcpExtListenOverflows": 50})]),
    ("time-wait-overflow", [ProtocolCounters(subject="netstat", counters={"TcpExtTCPTimeWaitOverflow": 5})]),
    ("fec-mismatch", [FecCounters(subject="eth0", corrected_blocks=10_000, uncorrectable_blocks=0)]),
    ("qdisc-drops", [queue(dropped=50)]),
    ("softirq-budget", [Softnet(subject="0", processed=100_000_000, dropped=0, time_squeeze=2000)]),
    ("tunnel-crypto-cpu", [busy(7, "ksoftirqd/0", 0.98)]),
    ("userspace-tunnel", [busy(7, "openvpn", 0.05)]),
    ("bond-balance-rr", [Bond(subject="bond0", mode="802.3ad")]),
    ("virt-nic-emulated", [DriverInfo(subject="eth0", driver="e1000"), Machine(vendor="Dell Inc.")]),
    ("pcie-stall", [nic(rx_discards_phy=9, rx_packets_phy=1_000_000)]),
    ("netfilter-drop", [rule("DROP tcp -- 0.0.0.0/0 tcp dpt:445")]),
    ("nic-rx-overrun", [nic(rx_missed=12, rx_packets=1_973_763)]),
    ("nic-rx-overrun", [nic(rx_missed=12)]),
    ("nic-rx-overrun", [nic(rx_missed=9000), nic(rx_missed=9000)]),
    ("nic-rx-overrun", [nic(rx_dropped=50_000)]),
    ("rx-ring-too-small", [nic(rx_missed=3740, rx_packets=9_763), Rings(subject="eth0", rx=4096, rx_max=4096)]),
    (
        "rx-ring-too-small",
        [
            nic(rx_missed=3740, rx_packets=9_763),
            Rings(subject="eth0", rx=1, rx_max=2),
            CpuShares(subject="3", busy=1.0),
        ],
    ),
    ("pcie-aspm", [PciDevice(name="Ethernet", l1_aspm=True)]),
    ("rx-crc-errors", [nic(rx_crc_errors=30, rx_packets=1_000_000_000)]),
    ("peer-sends-pause", [nic(rx_flow_control_xoff=46)]),
    ("peer-sends-pause", [nic(rx_flow_control_xon=90_000, rx_prio3_pause_transition=9000)]),
    ("peer-sends-pause", [nic(rx_prio0_pause_duration=90_000, tx_pause=90_000)]),
    ("host-sends-pause", [nic(tx_pause=2000, rx_packets=1_000_000_000)]),
    ("cloud-allowance-exceeded", [nic(conntrack_allowance_available=615_471, pps_allowance_exceeded=3)]),
    ("rss-single-queue", [RssTable(subject="eth0", rings=8, table=(0, 1, 0, 1))]),
    ("rss-single-queue", [RssTable(subject="eth0", rings=1, table=(0, 0))]),
    ("rss-single-queue", [RssTable(subject="eth0", rings=8)]),
    ("rss-single-queue", [nic(rx_queue_0_packets=795_975, rx_queue_1_packets=0)]),
    ("rss-single-queue", [nic(rx_queue_0_packets=795_975_000, rx_queue_1_packets=5)]),
    ("irq-single-cpu", [irq(0, 356_669_796, 0, 0, 0), irq(1, 0, 308_170_840, 0, 0)]),
    ("irq-single-cpu", [irq(0, 356_669_796, 0, 0, 0)]),
    ("link-speed-downshift", [mode(1e9)]),
    ("link-speed-downshift", [mode(1e7, duplex="Half")]),
    ("link-speed-downshift", [mode(1e8, supported=("100baseT/Full",))]),
    ("duplex-mismatch", [mode(1e9, duplex="Half")]),
    ("duplex-mismatch", [mode(1e7, duplex="Half")]),
    ("nic-tx-hang", [KernelLog(lines=9)]),
    (
        "nic-tx-hang",
        [DriverInfo(subject="eth1", driver="igb", bus_info="0000:02:00.0"), *said(LogEvent.TRANSMIT_HANG, "eth1")],
    ),
    ("link-flapping", said(LogEvent.LINK_DOWN, times=2)),
    ("link-flapping", said(LogEvent.LINK_DOWN, times=9, every=86_400.0)),
    ("eee", [SLEEPY, *said(LogEvent.LINK_DOWN, times=9, every=86_400.0)]),
    ("link-speed-downshift", [*said(LogEvent.DOWNSHIFT), mode(1e9, supported=GIGABIT)]),
    ("link-speed-downshift", [*said(LogEvent.DOWNSHIFT), RECOVERED]),
    ("eee", [SLEEPY]),
    ("pcie-link-narrow", [NARROW, mode(1e9)]),
    (
        "pcie-link-narrow",
        [PciDevice(name="VGA compatible controller", speed=2.5, width=1, max_speed=8.0, max_width=16)],
    ),
    ("usb-link-too-slow", [UsbDevice(subject="2-1", name="Realtek USB 10/100/1G LAN", speed=5e9)]),
    ("usb-link-too-slow", [UsbDevice(subject="2-1", name="Keyboard", speed=480e6)]),
    ("rps-single-cpu", [QueueCpus(subject="eth0", queue="rx-0", rps_cpus=(0, 1))]),
    ("tc-shaper", [TBF, mode(1e7)]),
    ("tc-shaper", [Qdisc(subject="eth0", kind="fq_codel", handle="0:", parent=None)]),
    ("udp-rcvbuf-overflow", [ProtocolCounters(subject="snmp", counters={"UdpRcvbufErrors": 12})]),
    ("receiver-zero-window", [socket(1.0)]),
    ("softirq-single-cpu", [CpuShares(subject="0", busy=0.99, softirq=0.2)]),
    ("softirq-single-cpu", [busy(12, "ksoftirqd/0", 0.3)]),
    ("softirq-single-cpu", [busy(12, "ksoftirqd/0", 0.93), busy(17, "ksoftirqd/1", 0.9)]),
    ("softirq-single-cpu", handled(squeezed=12)),
    ("softirq-single-cpu", handled(squeezed=12_580)[:2]),
    ("cpu-bound-host", [CpuShares(busy=0.60, softirq=0.50)]),
    ("cpu-bound-host", [CpuShares(busy=0.99, user=0.95, system=0.04)]),
    ("backlog-drops", [Softnet(subject="0", processed=10_000_000, dropped=7, time_squeeze=0)]),
    ("offload-off", [features(fixed=True)]),
    ("single-rx-queue", [Channels(subject="eth0", combined=1, combined_max=1)]),
    ("tcp-buffers-too-small", [Sysctl(subject="net.ipv4.tcp_rmem", value="4096 131072 6291456")]),
    ("cpu-governor", [clocked(4e9)]),
    ("napi-thread-pinned", [ThreadAffinity(subject=str(pid), cpus=(pid,)) for pid in range(4)]),
    ("kernel-limit", [ProtocolCounters(subject="netstat", counters={"TcpExtListenOverflows": 50})]),
    ("time-wait-overflow", [ProtocolCounters(subject="netstat", counters={"TcpExtTCPTimeWaitOverflow": 5})]),
    ("fec-mismatch", [FecCounters(subject="eth0", corrected_blocks=10_000, uncorrectable_blocks=0)]),
    ("qdisc-drops", [queue(dropped=50)]),
    ("softirq-budget", [Softnet(subject="0", processed=100_000_000, dropped=0, time_squeeze=2000)]),
    ("tunnel-crypto-cpu", [ProcessShare(subject="7", name="ksoftirqd/0", share=0.98)]),
    ("userspace-tunnel", [ProcessShare(subject="7", name="openvpn", share=0.05)]),
    ("bond-balance-rr", [Bond(subject="bond0", mode="802.3ad")]),
    ("virt-nic-emulated", [DriverInfo(subject="eth0", driver="e1000"), Machine(vendor="Dell Inc.")]),
    ("pcie-stall", [nic(rx_discards_phy=9, rx_packets_phy=1_000_000)]),
    ("netfilter-drop", [rule("DROP tcp -- 0.0.0.0/0 tcp dpt:445")]),
    ("wifi-narrow-channel", [RADIO]),
    ("wifi-signal-low", [RADIO]),
    ("wifi-power-save", [replace(RADIO, power_save=False)]),
    (
        "wifi-power-save",
        [replace(RADIO, power_save=True), EchoProbe(subject="a 56", size=56, sent=9, received=9, rtt=0.004)],
    ),
    ("wifi-airtime-overhead", [RADIO, AIR]),
    ("wifi-coexistence", [RADIO, AIR]),
]


@pytest.mark.parametrize(("check", "facts", "sure"), SUSPECTS)
def test_suspects(check: str, facts: Sequence[Fact], sure: Confidence) -> None:
    """One reading is never certain; only settings and the kernel's own words are."""
    assert sure is suspicion(check, *facts)


@pytest.mark.parametrize(("check", "facts"), MISSES)
def test_near_misses_are_not_suspected(check: str, facts: Sequence[Fact]) -> None:
    """What every host shows, or what the other fact explains."""
    assert suspicion(check, *facts) is None


@pytest.mark.parametrize("check", [check for check, found in CHECKS.items() if found.glance])
def test_nothing_shown_is_nothing_said(check: str) -> None:
    """Without its facts a glance has no finding at all."""
    assert suspicion(check) is None


def test_every_glance_has_both_tests() -> None:
    """No glance escapes."""
    glances = {check for check, found in CHECKS.items() if found.glance}
    elsewhere = {
        "cloud-single-flow-cap",
        "link-filled",
        "mtu-mismatch",
        "route-wrong-interface",
        "socket-buffer-fixed",
        "test-control-port-blocked",
    }  # of both ends, or tests
    pairs = {"socket-buffer-fixed", "congestion-control", "long-rtt-single-flow"}  # test_told_pairs
    shared = {check for check, *_ in (*SUSPECTS, *shown.SUSPECTS)}
    assert glances == elsewhere | pairs | shared


def test_counters_of_one_reading_say_since_boot() -> None:
    """The reader must not take them for a rate."""
    found = glance("nic-rx-overrun", nic(rx_missed=3740, rx_packets=1_973_763))
    assert found is not None
    assert "3,740 of 1,977,503 frames" in found.summary
    assert "since boot" in found.summary


def test_two_readings_count_their_difference() -> None:
    """What stood there before is no part of it."""
    found = glance("nic-rx-overrun", nic(rx_overruns=1462), nic(rx_overruns=2485))
    assert found is not None
    assert "1,023 frames" in found.summary
    assert "between two readings" in found.summary


def test_a_suspicion_asks_for_what_would_confirm_it() -> None:
    """The same command again, around a test."""
    found = glance("rx-crc-errors", nic(RxFcsErr=2050, rx_packets=547))
    assert found is not None
    assert ["ethtool -S eth0  (near end: before and after a test)"] == [ask.text for ask in found.asks]


def test_a_rate_on_the_shapers_limit_makes_it_sure() -> None:
    """10.5 Mbit/s through 10."""
    assert HIGH is suspicion("tc-shaper", TBF, rate=10.5e6)


def test_a_rate_above_the_shaper_clears_it() -> None:
    """It does not carry the test."""
    assert suspicion("tc-shaper", TBF, rate=50e6) is None


def test_a_known_driver_counts_by_its_recipe() -> None:
    """What other drivers call a discard is none of this one's."""
    ice = DriverInfo(subject="eth0", driver="ice")
    assert MEDIUM is suspicion("nic-rx-overrun", ice, nic(rx_dropped=50_000))


def test_spread_interrupts_are_cleared() -> None:
    """Each queue has its own CPU."""
    found = glance("irq-single-cpu", irq(0, 356_669_796, 0, 0, 0), irq(1, 0, 308_170_840, 0, 0))
    assert found is not None
    assert Judgement.CLEAR is found.verdict


def test_affinities_on_many_cpus_are_cleared() -> None:
    """Where nobody shows which interrupts are a link's."""
    found = glance("irq-single-cpu", *(IrqAffinity(subject=str(cpu), allowed=(cpu,)) for cpu in range(5)))
    assert found is not None
    assert Judgement.CLEAR is found.verdict


def test_backlog_of_two_readings() -> None:
    """Only what was dropped between them."""
    rows = [Softnet(subject="0", processed=100 * n, dropped=7, time_squeeze=0) for n in (1, 2)]
    assert suspicion("backlog-drops", *rows) is None
