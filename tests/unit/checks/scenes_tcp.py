"""Scenes of the checks about TCP, queues, UDP, bonds, tunnels and what surrounds the path."""

from dataclasses import replace

from fullrate.records.ends import End
from fullrate.records.facts.bonding import Bond
from fullrate.records.facts.ethtool import DriverInfo, LinkMode, NicCounters
from fullrate.records.facts.limits import ConntrackCounters, ConntrackLimit, SocketMemory
from fullrate.records.facts.link import Link, Route
from fullrate.records.facts.net import ProgramVersion, ProtocolCounters, Sysctl, TcpSocket
from fullrate.records.facts.qdisc import Qdisc
from fullrate.records.recipe import Recipe
from fullrate.records.trial import EngineFailure, EngineResult, Estimate, Interval, Trial
from unit.checks.build import FAR, NEAR, Scene, attempt, bulk, healthy, untested
from unit.checks.pairs import Pair, counters, cpu, edited, qdisc, reader, socket
from unit.checks.scenes import shaped

NAMES = (
    *("TCPToZeroWindowAdv", "TCPWantZeroWindowAdv", "TCPMemoryPressures", "RcvPruned", "OfoPruned", "TCPRcvQDrop"),
    *("TCPTimeWaitOverflow", "TCPAbortOnMemory", "TCPReqQFullDrop", "ListenOverflows"),
)
ENA = Recipe(id="ena", allowance=("*_allowance_exceeded",))


def flow(rate: float, *, lost: float = 0.0, start: dict[str, object] | None = None, **end: object) -> Pair:
    """The sender's data connection with all that a kernel tells today; `end` differs at its last reading."""
    always: dict[str, object] = {
        "congestion_control": "cubic",
        "min_rtt": 0.019,
        "duplicate_sacks": 0,
        "reordering_seen": 0,
        "unacknowledged": 400,
        "not_sent": 600_000,
        "send_buffer": 4_194_304,
        **(start or {}),
    }
    first, last = socket(rate, lost=lost)
    return edited(first, **always), edited(last, **{**always, **end})


def netstat(**grown: int) -> Pair:
    """The TCP counters of a host over a trial, by their names without the prefix; broadcasts by theirs."""
    names = [f"TcpExt{name}" for name in NAMES] + ["IpExtInBcastOctets", "IpExtInMcastOctets"]
    first = {name: 10 + place for place, name in enumerate(names)}
    more = {key if key.startswith("IpExt") else f"TcpExt{key}": size for key, size in grown.items()}
    last = {name: value + more.get(name, 0) for name, value in first.items()}
    return ProtocolCounters(subject="netstat", counters=first), ProtocolCounters(subject="netstat", counters=last)


def datagrams(table: str = "snmp", **grown: int) -> Pair:
    """The IP and UDP counters of a host over a trial, by their IPv4 names."""
    names = (
        *("UdpInDatagrams", "UdpOutDatagrams", "UdpInErrors", "UdpRcvbufErrors"),
        *("IpFragCreates", "IpReasmReqds", "IpReasmOKs"),
    )
    six = {name: name.replace("Udp", "Udp6", 1).replace("Ip", "Ip6", 1) if table == "snmp6" else name for name in names}
    first = {six[name]: 20 + place for place, name in enumerate(names)}
    last = {six[name]: first[six[name]] + grown.get(name, 0) for name in names}
    return ProtocolCounters(subject=table, counters=first), ProtocolCounters(subject=table, counters=last)


def path(rate: float = 600e6, *, lost: float = 0.0, start: dict[str, object] | None = None, **end: object) -> Scene:
    """A healthy job whose sender tells everything and whose receiver keeps its TCP counters."""
    scene = healthy(rate).seeing(NEAR, flow(rate, lost=lost, start=start, **end))
    return scene.seeing(FAR, netstat()).seeing(NEAR, netstat())


def late(*, again: int = 500, seen: int = 60) -> Scene:
    """1 % sent again at 20 ms, nearly all of it for nothing."""
    return path(60e6, lost=0.01, duplicate_sacks=again, reordering_seen=seen)


def slowed(*, seen: int = 900, again: int = 9, needless: int = 9, flight: int = 170, window: int = 173) -> Scene:
    """100 Mbit/s by a window of 173 segments over 20 ms; all that was sent again was so before the trial's window."""
    start: dict[str, object] = {
        "duplicate_sacks": needless,
        "retransmits": again,
        "congestion_window": window,
        "unacknowledged": flight,
    }
    return path(100e6, start=start, reordering_seen=seen)


def waiting(rate: float = 300e6, *, unread: int = 2_000_000, size: int = 6_291_456, closed: int = 40) -> Scene:
    """A flow that the receiver's window holds back half of the time; so many bytes lie unread in its buffer."""
    first, last = reader(rate, receive_buffer=size, recv_queue=unread)
    scene = path(rate, receive_window_limited=5.0, send_window=0)
    scene = scene.seeing(FAR, (edited(first, receive_buffer=size, recv_queue=unread), last))
    return scene.seeing(FAR, netstat(TCPToZeroWindowAdv=closed))


def sampled(*queues: int, size: int = 6_291_456) -> Scene:
    """The same flow; so many bytes lie unread in one sample after the other."""
    scene = waiting(unread=queues[-1], size=size)
    _, last = reader(300e6, receive_buffer=size)
    first, *between = ((edited(last, recv_queue=queue),) for queue in queues[:-1])
    before = tuple(fact for fact in scene.far.before if not isinstance(fact, TcpSocket))
    return scene.with_side(FAR, replace(scene.far, before=(*before, *first), between=tuple(between)))


def fixed(rate: float = 75e6, *, moderate: str = "0") -> Scene:
    """A receive buffer of 393,216 bytes that never grows, over 20 ms; tcp_rmem would allow 6 MB."""
    first, last = reader(rate, receive_buffer=393_216)
    scene = path(rate, receive_window_limited=9.0, send_window=187_500)
    scene = scene.seeing(FAR, (edited(first, receive_buffer=393_216), last))
    return scene.having(FAR, Sysctl(subject="net.ipv4.tcp_moderate_rcvbuf", value=moderate))


def fixed_sender(rate: float = 75e6) -> Scene:
    """A send buffer of 262,144 bytes that is full and never grows; both windows are open."""
    full: dict[str, object] = {"unacknowledged": 130, "not_sent": 0, "send_queue": 187_500, "send_buffer": 262_144}
    scene = path(rate, start=full)
    return scene.having(NEAR, Sysctl(subject="net.ipv4.tcp_wmem", value="4096 16384 16777216"))


def squeezed(end: End = FAR, *, pages: int = 90_000, rate: float = 300e6, **grown: int) -> Scene:
    """A host with so many pages in TCP's use, of 96,000 it wants at most; its counters grew."""
    scene = path(rate, receive_window_limited=5.0)
    for side in (NEAR, FAR):
        scene = scene.having(side, Sysctl(subject="net.ipv4.tcp_mem", value="72000 96000 144000"))
        used = SocketMemory(tcp_pages=pages if side is end else 500, udp_pages=3)
        scene = scene.seeing(side, (used, used))
    return scene.seeing(end, netstat(**grown))


def queue_full(*, dropped: int = 518, handle: str = "8003:", limit: int = 100, lost: float = 0.0) -> Scene:
    """A short pfifo at the root of the sender's link that dropped 1 % of what the test sent."""
    scene = path(60e6, lost=lost).lacking(NEAR, Qdisc, "facts", "before", "after")
    pair = qdisc("enp1s0", 60e6, "pfifo", handle=handle, limit=limit, dropped=dropped)
    return scene.having(NEAR, pair[0]).seeing(NEAR, pair)


def bloated(rtt: float = 0.4, *, limit: int = 1_000_000) -> Scene:
    """A tbf of 20 Mbit/s with a queue of 400 ms, and an RTT that rose by about as much."""
    return shaped(19e6, 20e6, limit=limit).seeing(NEAR, flow(19e6, rtt=rtt, start={"min_rtt": 0.001}))


def yielding(name: str = "vegas") -> Scene:
    """A flow without loss at 300 Mbit/s whose algorithm keeps 518 segments in flight over 20 ms."""
    scene = path(300e6, start={"congestion_control": name, "congestion_window": 518})
    return scene.having(NEAR, Sysctl(subject="net.ipv4.tcp_congestion_control", value=name))


def paced(name: str = "bbr", *, busy: float = 0.97, kind: str = "fq_codel") -> Scene:
    """A flow of BBR whose sender has a full CPU."""
    scene = path(300e6, start={"congestion_control": name}).lacking(NEAR, Qdisc, "facts", "before", "after")
    pair = qdisc("enp1s0", 300e6, kind)
    return scene.having(NEAR, pair[0]).seeing(NEAR, pair, cpu(0, busy))


def several(rate: float, streams: int = 4) -> Trial:
    """A test with several flows."""
    spec = replace(bulk(), streams=streams)
    return Trial(id="t4", spec=spec, throughput=Estimate(n=1, median=rate, ci_low=rate - 1e6, ci_high=rate + 1e6))


def far_away(one: float = 300e6, many: float | None = 940e6, *, rtt: float = 0.05) -> Scene:
    """A path of 50 ms: 4,064 segments must be in flight. One flow, and four of them."""
    scene = path(one, rtt=rtt + 0.001, start={"min_rtt": rtt})
    return replace(scene, tries=() if many is None else (several(many),))


def capped(one: float = 4.94e9, many: float = 18e9, *, driver: str = "ena") -> Scene:
    """Two instances on a 25 Gbit/s link whose single flow stops just below 5 Gbit/s."""
    scene = replace(path(one, rtt=0.0005, start={"min_rtt": 0.0002}), speed=25e9, tries=(several(many),))
    return scene.having(NEAR, DriverInfo(subject="enp1s0", driver=driver))


def small_queues(size: int = 16384, *, flight: int = 800, not_sent: int = 600_000) -> Scene:
    """TCP may keep 16 kB below it; 800 of 1600 segments are in flight, 600 kB wait."""
    scene = path(300e6, start={"unacknowledged": flight, "not_sent": not_sent})
    return scene.having(NEAR, Sysctl(subject="net.ipv4.tcp_limit_output_bytes", value=str(size)))


def tracked(entries: int = 900, *, refused: int = 0, limit: int = 65536) -> Scene:
    """A host that tracks so many connections, and refused so many packets during the trial."""
    first = ConntrackCounters(entries=entries, dropped=7, early_dropped=2, insert_failed=1)
    scene = healthy(600e6).having(NEAR, first, ConntrackLimit(entries=limit))
    return scene.seeing(NEAR, (first, replace(first, dropped=7 + refused)))


def forgetting(count: int = 30) -> Scene:
    """A host that forgot so many closed connections during the trial, and a tenth of them at rest."""
    scene = path().seeing(NEAR, netstat(TCPTimeWaitOverflow=count))
    return scene.resting(NEAR, netstat(TCPTimeWaitOverflow=count // 10))


def confused(words: str = "unable to receive parameters from client: ") -> Scene:
    """A server that does not understand what the client says."""
    failed = attempt(EngineFailure.OTHER)
    engine = EngineResult(program="iperf3", failure=EngineFailure.OTHER, message=words)
    return untested(healthy(), replace(failed, engine=engine))


def unlike() -> Scene:
    """Two versions, one of which does not know an option."""
    scene = untested(healthy(), attempt(EngineFailure.OPTION))
    for end, version in ((NEAR, "3.21"), (FAR, "3.1.3")):
        scene = scene.having(end, ProgramVersion(subject="iperf3", version=version))
    return scene


def routed(kind: str = "unicast", gateway: str | None = None, scene: Scene | None = None) -> Scene:
    """The near end's route to the far one."""
    route = Route(subject="10.0.0.2", ifname="enp1s0", source="10.0.0.1", gateway=gateway, kind=kind)
    return (scene or path()).having(NEAR, route)


def jumbo(gateway: str | None = None) -> Scene:
    """The far end's MTU is 9000, the near end's 1500."""
    scene = routed(gateway=gateway)
    return scene.having(FAR, Link(subject="enp3s0", ifindex=3, mtu=9000, operstate="UP"))


def detour(end: End = NEAR, *, speed: float | None = 100e6) -> Scene:
    """The test passes an end by its second link."""
    own, second = ("enp1s0", "enp9s0") if end is NEAR else ("enp3s0", "enp8s0")
    way = counters(second, tx=90e6) if end is NEAR else counters(second, rx=90e6)
    scene = path(90e6).seeing(end, counters(own), way)
    return scene.having(end, LinkMode(subject=second, speed=speed))


def allowance(grown: int = 40_000, *, driver: str = "ena") -> Scene:
    """An instance whose adapter counted so many of 518,000 packets as above its inbound allowance."""
    first = NicCounters(subject="enp3s0", counters={"bw_in_allowance_exceeded": 530, "pps_allowance_exceeded": 7})
    counted = {"bw_in_allowance_exceeded": 530 + grown, "pps_allowance_exceeded": 7}
    scene = replace(path(600e6), recipes={"ena": ENA})
    for end, name in ((NEAR, "enp1s0"), (FAR, "enp3s0")):
        scene = scene.having(end, DriverInfo(subject=name, driver=driver if end is FAR else "igb"))
    return scene.seeing(FAR, (first, replace(first, counters=counted)))


def tunnel(rate: float = 907e6, kind: str | None = "vxlan", mtu: int = 1450) -> Scene:
    """Two ends of a tunnel over a link of 1 Gbit/s: 1398 of 1538 bytes are payload, 908.97 Mbit/s."""
    scene = path(rate)
    for end, name in ((NEAR, "enp1s0"), (FAR, "enp3s0")):
        scene = scene.having(end, Link(subject=name, ifindex=9, mtu=mtu, operstate="UP", kind=kind))
    return scene


def upload(back: float = 935e6, *, rtt: float = 0.06) -> Scene:
    """The receiver sends so much by the same link, and the RTT tripled."""
    scene = path(300e6, rtt=rtt, start={"min_rtt": 0.02})
    return scene.seeing(FAR, counters("enp3s0", rx=300e6, tx=back))


def flooded(rate: float = 200e6) -> Scene:
    """So many bits of broadcasts a second, at rest and during the test."""
    scene = path().seeing(FAR, netstat(IpExtInBcastOctets=round(rate * 10 / 8)))
    return scene.resting(FAR, netstat(IpExtInBcastOctets=round(rate / 8)))


def bonded(rate: float = 930e6, *, mode: str = "802.3ad", split: float = 1.0, policy: str = "layer2") -> Scene:
    """A sender with a bond of two links of 1 Gbit/s; `split` of the test goes by the first."""
    scene = replace(path(rate), speed=2e9)
    bond = Link(subject="enp1s0", ifindex=20, mtu=1500, operstate="UP", kind="bond")
    scene = scene.having(NEAR, bond, Bond(subject="enp1s0", mode=mode, hash_policy=policy))
    for place, (name, part) in enumerate((("eth0", split), ("eth1", 1 - split))):
        member = Link(subject=name, ifindex=21 + place, mtu=1500, operstate="UP", master="enp1s0")
        scene = scene.having(NEAR, member, LinkMode(subject=name, speed=1e9)).seeing(
            NEAR, counters(name, tx=rate * part)
        )
    return scene


def round_robin(*, again: int = 500, seen: int = 60, mode: str = "balance-rr") -> Scene:
    """A bond that sends the packets of a flow by both members in turn."""
    scene = bonded(60e6, mode=mode, split=0.5)
    return scene.seeing(NEAR, flow(60e6, lost=0.01, duplicate_sacks=again, reordering_seen=seen))


def udp(scene: Scene, *, lost: float | None = 0.1, sent: float | None = None) -> Scene:
    """The scene with UDP in place of TCP; the program tells a loss, and at which rate it sent for 10 s."""
    way = () if sent is None else (Interval(start=0.0, end=10.0, throughput=sent),)
    return replace(scene, protocol="udp", engine=EngineResult(program="iperf3", lost_ratio=lost, sent=way))


def overflowing(dropped: int = 40_000, rate: float = 500e6) -> Scene:
    """So many of 400,000 datagrams found the receiving socket's buffer full."""
    scene = udp(healthy(rate)).seeing(FAR, datagrams(UdpInDatagrams=400_000 - dropped, UdpRcvbufErrors=dropped))
    return scene.having(FAR, Sysctl(subject="net.core.rmem_default", value="212992"))


PROBLEMS: dict[str, Scene] = {
    "app-not-draining-socket": waiting(),
    "bbr-pacing-cpu-cost": paced(),
    "bond-balance-rr": round_robin(),
    "bond-hash-one-member": bonded(),
    "broadcast-flood": flooded(),
    "bufferbloat": bloated(),
    "cloud-allowance-exceeded": allowance(),
    "cloud-single-flow-cap": capped(),
    "congestion-control": yielding(),
    "conntrack-table-full": tracked(65_530),
    "conntrack-table-full refused": tracked(65_530, refused=50),
    "local-test-not-link": routed("local"),
    "long-rtt-single-flow": far_away(),
    "mtu-mismatch": jumbo(),
    "qdisc-drops": queue_full(),
    "receiver-zero-window": waiting(unread=1000),
    "reordering": late(),
    "reordering slow": slowed(),
    "route-wrong-interface": detour(),
    "socket-buffer-fixed": fixed(),
    "socket-buffer-fixed sender": fixed_sender(),
    "tcp-memory-pressure": squeezed(TCPMemoryPressures=3),
    "tcp-memory-pressure pages": squeezed(pages=100_000),
    "tcp-memory-pressure pruned": squeezed(RcvPruned=6_000),
    "tcp-small-queues": small_queues(),
    "test-tool-mismatch": confused(),
    "test-tool-mismatch versions": unlike(),
    "time-wait-overflow": forgetting(),
    "tunnel-overhead": tunnel(),
    "udp-rcvbuf-overflow": overflowing(),
    "uplink-saturated-acks": upload(),
}
CLEARS: dict[str, Scene] = {
    "app-not-draining-socket": path(),
    "app-not-draining-socket reads": waiting(unread=1000),
    "bbr-pacing-cpu-cost": path(),
    "bbr-pacing-cpu-cost fq": paced(kind="fq"),
    "bond-balance-rr": bonded(),
    "bond-balance-rr in order": round_robin(seen=0),
    "bond-hash-one-member": bonded(split=0.5),
    "broadcast-flood": flooded(0.0),
    "bufferbloat": path(),
    "bufferbloat elsewhere": bloated(limit=50_000),
    "cloud-allowance-exceeded": allowance(10),
    "cloud-single-flow-cap": capped(3e9),
    "congestion-control": path(),
    "congestion-control held": yielding().seeing(NEAR, cpu(0, 0.97)),
    "conntrack-table-full": tracked(),
    "local-test-not-link": routed(),
    "long-rtt-single-flow": path(start={"min_rtt": 0.005}),
    "long-rtt-single-flow no gain": far_away(many=305e6),
    "mtu-mismatch": routed(),
    "mtu-mismatch routed": jumbo("10.0.0.254"),
    "qdisc-drops": path(),
    "receiver-zero-window": path(),
    "receiver-zero-window open": waiting(unread=1000, closed=0),
    "reordering": path(),
    "reordering lost": late(again=3),
    "reordering seldom": slowed(seen=80),
    "route-wrong-interface": path(),
    "socket-buffer-fixed": path(),
    "tcp-memory-pressure": path(),
    "tcp-memory-pressure waits": squeezed(),
    "tcp-small-queues": small_queues(1_048_576),
    "test-tool-mismatch": path(),
    "time-wait-overflow": forgetting(0),
    "tunnel-overhead": tunnel(500e6),
    "udp-rcvbuf-overflow": overflowing(10),
    "uplink-saturated-acks": upload(20e6),
}
LINKS = {"near collected Link", "far collected Link"}
HOSTS = {"near collected HostIdentity", "far collected HostIdentity"}
CPUS = {"near window CpuTimes", "far window CpuTimes"}
SOCKETS = {"near window TcpSocket"}
SPEED = {"the speed"}
# what every clear verdict rests on, beside the trial
FOUNDED_ON: dict[str, set[str]] = {
    "app-not-draining-socket": SOCKETS,
    "app-not-draining-socket reads": SOCKETS | SPEED | {"far window TcpSocket"},
    "bbr-pacing-cpu-cost": SOCKETS,
    "bbr-pacing-cpu-cost fq": HOSTS | SOCKETS | SPEED | {"near window CpuTimes", "near window Qdisc"},
    "bond-balance-rr": {"near collected Bond", "near collected Link"},
    "bond-balance-rr in order": SOCKETS | SPEED | {"near collected Bond", "near collected Link"},
    "bond-hash-one-member": LINKS | SPEED | {"near collected Bond", "near window LinkCounters"},
    "broadcast-flood": SPEED | {"far idle look ProtocolCounters", "far window ProtocolCounters", "the idle look"},
    "bufferbloat": SOCKETS,
    "bufferbloat elsewhere": SOCKETS | {"near window Qdisc"},
    "cloud-allowance-exceeded": {
        "far collected DriverInfo",
        "far window LinkCounters",
        "far window NicCounters",
        "near collected DriverInfo",
    },
    "cloud-single-flow-cap": {"near collected DriverInfo"},
    "congestion-control": SOCKETS,
    "congestion-control held": HOSTS | SOCKETS | SPEED | {"near window CpuTimes"},
    "conntrack-table-full": {"near collected ConntrackCounters", "near collected ConntrackLimit"},
    "local-test-not-link": {"near collected Route"},
    "long-rtt-single-flow": SOCKETS | SPEED,
    "long-rtt-single-flow no gain": HOSTS | CPUS | SOCKETS | SPEED,
    "mtu-mismatch": LINKS,
    "mtu-mismatch routed": LINKS | {"near collected Route"},
    "qdisc-drops": SOCKETS | {"near window Qdisc"},
    "receiver-zero-window": SOCKETS,
    "receiver-zero-window open": SOCKETS | SPEED | {"far window ProtocolCounters"},
    "reordering": SOCKETS,
    "reordering lost": SOCKETS | SPEED,
    "reordering seldom": SOCKETS | SPEED,
    "route-wrong-interface": {"far window LinkCounters", "near window LinkCounters"},
    "socket-buffer-fixed": SOCKETS,
    "tcp-memory-pressure": SOCKETS | SPEED | {"near window ProtocolCounters", "far window ProtocolCounters"},
    "tcp-memory-pressure waits": SOCKETS
    | SPEED
    | {
        "far collected Sysctl",
        "far window ProtocolCounters",
        "far window SocketMemory",
        "near collected Sysctl",
        "near window ProtocolCounters",
        "near window SocketMemory",
    },
    "tcp-small-queues": {"near collected Sysctl"},
    "test-tool-mismatch": set(),
    "time-wait-overflow": {"near idle look ProtocolCounters", "near window ProtocolCounters"},
    "tunnel-overhead": LINKS | SPEED,
    "udp-rcvbuf-overflow": {"far window ProtocolCounters"},
    "uplink-saturated-acks": LINKS | SPEED | {"far window LinkCounters"},
}
UNTESTED = {"conntrack-table-full", "local-test-not-link", "mtu-mismatch", "mtu-mismatch routed", "time-wait-overflow"}
