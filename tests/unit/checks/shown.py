"""Hosts and tests that reports showed, whose causes must be suspected, for the tests of glances."""

from collections.abc import Sequence

from fullrate.records.facts.base import Fact
from fullrate.records.facts.bonding import Bond
from fullrate.records.facts.ethtool import DriverInfo, LinkMode
from fullrate.records.facts.kernel_log import KernelMessage, LogEvent
from fullrate.records.facts.net import Capture, EchoProbe, TcpSocket
from fullrate.records.finding import Confidence

LOW, MEDIUM, HIGH = Confidence.LOW, Confidence.MEDIUM, Confidence.HIGH


def unread(size: int, *, state: str = "ESTAB", name: str = "1") -> TcpSocket:
    """A socket with so much in its receive queue."""
    return TcpSocket(
        subject=name,
        local_address="",
        local_port=0,
        peer_address="",
        peer_port=0,
        state=state,
        recv_queue=size,
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

# check, facts, the rate of a test that was shown, how sure
SUSPECTS: list[tuple[str, Sequence[Fact], float | None, Confidence]] = [
    ("kernel-limit", [FULL_TABLE], None, HIGH),
    ("app-not-draining-socket", [unread(382_954, name="1"), unread(295_870, name="2")], None, MEDIUM),
    ("app-not-draining-socket", [unread(382_954), unread(0, name="2")], None, LOW),
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
]
MISSES: list[tuple[str, Sequence[Fact], float | None]] = [
    ("app-not-draining-socket", [unread(60_000)], None),
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
]
