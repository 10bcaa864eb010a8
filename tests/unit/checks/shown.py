"""Hosts and tests that reports showed, whose causes must be suspected, for the tests of glances."""

from collections.abc import Sequence

from fullrate.records.facts.base import Fact
from fullrate.records.facts.bonding import Bond
from fullrate.records.facts.cpu import CgroupThrottling
from fullrate.records.facts.ethtool import DriverInfo, LinkMode
from fullrate.records.facts.kernel_log import KernelMessage, LogEvent
from fullrate.records.facts.link import LinkCounters
from fullrate.records.facts.net import Capture, EchoProbe, ListeningSocket, TcpSocket
from fullrate.records.facts.phy import WireErrors
from fullrate.records.facts.processor import KernelSymbol, ProcessShare
from fullrate.records.finding import Confidence

LOW, MEDIUM, HIGH = Confidence.LOW, Confidence.MEDIUM, Confidence.HIGH


def unread(size: int, *, state: str = "ESTAB", name: str = "1", buffer: int | None = None) -> TcpSocket:
    """A socket with so much in its receive queue."""
    return TcpSocket(
        subject=name,
        local_address="",
        local_port=0,
        peer_address="",
        peer_port=0,
        state=state,
        recv_queue=size,
        receive_buffer=buffer,
    )


def echo(size: int, received: int, *, to: str = "192.0.2.9", errors: int = 0) -> EchoProbe:
    """Three echo requests of one size."""
    return EchoProbe(subject=f"{to} {size}", sent=3, received=received, size=size, errors=errors)


def up(text: str) -> KernelMessage:
    """The line of a link that comes up."""
    return KernelMessage(subject="ens192", event=LogEvent.LINK_UP, text=text)


def losses(*times: float) -> list[KernelMessage]:
    """When the log says that a carrier was lost."""
    return [KernelMessage(subject="eth0", event=LogEvent.LINK_DOWN, text=f"down {time}", time=time) for time in times]


FULL_TABLE = KernelMessage(event=LogEvent.TABLE_FULL, text="neighbour: arp_cache: neighbor table overflow!")
LABEL = up("vmxnet3 0000:0b:00.0 ens192: NIC Link is Up 10000 Mbps")
IGB = up("igb 0000:81:00.0 eth3: NIC Link is Up 1000 Mbps Full Duplex, Flow Control: RX/TX")
HASHED = Bond(mode="802.3ad", hash_policy="layer3+4")
MEMBER = LinkMode(subject="eth1", speed=2.5e9)

STOPPED = CgroupThrottling(subject="/", periods=14_730, throttled_periods=14_512, throttled=698.1)
HARDLY = CgroupThrottling(subject="/", periods=14_730, throttled_periods=12, throttled=0.2)
MAPPING = [KernelSymbol(subject="qi_submit_sync", share=0.28), KernelSymbol(subject="alloc_iova", share=0.06)]
COPYING = [KernelSymbol(subject="copy_user_generic_string", share=0.5), KernelSymbol(subject="iommu_map", share=0.02)]
COLLISIONS = WireErrors(subject="eth0", collisions=2_205_053)
SENT = LinkCounters(subject="eth0", tx_packets=29_305_799, rx_packets=204_564_288)
FEW_COLLISIONS = WireErrors(subject="eth0", collisions=1200)
SOFTIRQS = ProcessShare(subject="62", name="ksoftirqd/10", share=1.0)
IDLING = ProcessShare(subject="22", name="ksoftirqd/2", share=0.013)

OVERFULL = ListeningSocket(subject="*:443", address="*", port=443, waiting=90_001, longest=90_000)
WAITED_FOR = ListeningSocket(subject="*:443", address="*", port=443, waiting=12, longest=128)

# check, facts, the rate of a test that was shown, how sure
SUSPECTS: list[tuple[str, Sequence[Fact], float | None, Confidence]] = [
    ("kernel-limit", [FULL_TABLE], None, HIGH),
    ("kernel-limit", [OVERFULL], None, MEDIUM),
    ("app-not-draining-socket", [unread(1_889_640, buffer=1_990_383)], None, MEDIUM),
    ("app-not-draining-socket", [unread(382_954, name="1"), unread(295_870, name="2")], None, LOW),
    ("app-not-draining-socket", [unread(2_382_954), unread(0, name="2")], None, LOW),
    ("receiver-zero-window", [Capture(packets=5, closed_windows=3, closed_by="192.0.2.3")], None, MEDIUM),
    ("mtu-mismatch", [Capture(packets=1, too_big=1, next_mtu=1420)], None, LOW),
    ("mtu-blackhole", [echo(1472, 0), echo(56, 3)], None, MEDIUM),
    ("virtual-nic-speed-label", [LABEL], 20.4e9, HIGH),
    (
        "virtual-nic-speed-label",
        [DriverInfo(subject="eth0", driver="vmxnet3"), LinkMode(subject="eth0", speed=10e9)],
        20.4e9,
        HIGH,
    ),
    ("bond-hash-one-member", [HASHED], 8.82e9, LOW),
    ("bond-hash-one-member", [HASHED, MEMBER], 2.35e9, LOW),
    ("link-flapping", losses(0.0, 3423.0), None, LOW),
    ("cpu-quota", [STOPPED], None, MEDIUM),
    ("iommu-strict", MAPPING, None, MEDIUM),
    ("duplex-mismatch", [COLLISIONS, SENT], None, MEDIUM),
    ("duplex-mismatch", [COLLISIONS], None, MEDIUM),
    ("rx-crc-errors", [WireErrors(subject="eth0", rx_frame_errors=81_233), SENT], None, MEDIUM),
    ("softirq-single-cpu", [SOFTIRQS, IDLING], None, MEDIUM),
]
MISSES: list[tuple[str, Sequence[Fact], float | None]] = [
    ("kernel-limit", [WAITED_FOR], None),
    ("app-not-draining-socket", [unread(60_000, name="1"), unread(60_000, name="2")], None),
    ("app-not-draining-socket", [unread(382_954)], None),
    ("app-not-draining-socket", [unread(349_664, buffer=3_362_968)], None),
    ("app-not-draining-socket", [unread(382_954, state="TIME-WAIT")], None),
    ("receiver-zero-window", [Capture(packets=900, closed_windows=2, closed_by="192.0.2.3")], None),
    ("mtu-mismatch", [Capture(packets=900)], None),
    ("mtu-blackhole", [echo(1472, 0, errors=3), echo(56, 3)], None),
    ("mtu-blackhole", [echo(1472, 0), echo(56, 0)], None),
    ("mtu-blackhole", [echo(1472, 0), echo(56, 3, to="192.0.2.10")], None),
    ("mtu-blackhole", [echo(400, 0), echo(56, 3)], None),
    ("virtual-nic-speed-label", [LABEL], 9.9e9),
    ("virtual-nic-speed-label", [IGB], 20.4e9),
    ("bond-hash-one-member", [HASHED], 5.6e9),
    ("bond-hash-one-member", [HASHED, MEMBER], 0.94e9),
    ("bond-hash-one-member", [Bond(mode="active-backup")], 8.82e9),
    ("bond-hash-one-member", [HASHED], None),
    ("link-flapping", losses(0.0, 30.0), None),
    ("cpu-quota", [HARDLY], None),
    ("cpu-quota", [CgroupThrottling(subject="/", periods=7, throttled_periods=3, throttled=0.1)], None),
    ("iommu-strict", COPYING, None),
    ("duplex-mismatch", [FEW_COLLISIONS, SENT], None),
    ("duplex-mismatch", [WireErrors(subject="eth0", collisions=12)], None),
    ("softirq-single-cpu", [IDLING], None),
    ("softirq-single-cpu", [SOFTIRQS, ProcessShare(subject="9", name="ksoftirqd/3", share=1.0)], None),
]
