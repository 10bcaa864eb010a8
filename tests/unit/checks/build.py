"""Views for the tests of checks: a healthy job over a 1 Gbit/s link, and how to change one thing of it.

A pair is one fact at the two ends of the trial's ten seconds.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TypeVar

from fullrate.records.ends import Direction, End
from fullrate.records.evidence import Gap, Status
from fullrate.records.facts.base import Fact
from fullrate.records.facts.cpu import (
    CgroupQuota,
    CgroupThrottling,
    CpuTimes,
    ProcessCgroup,
    ProcessPlacement,
    Softnet,
)
from fullrate.records.facts.ethtool import Feature, Features
from fullrate.records.facts.link import Link, LinkCounters
from fullrate.records.facts.net import FilterRule, HostIdentity, Sysctl, TcpSocket
from fullrate.records.facts.qdisc import Qdisc, QdiscClass
from fullrate.records.finding import Ask, Finding, Judgement
from fullrate.records.goodput import ip_version, link_goodput
from fullrate.records.leaf import Check
from fullrate.records.recording import Promise
from fullrate.records.snapshot import Observation, Snapshot, Window
from fullrate.records.trial import (
    IDLE,
    EngineFailure,
    EngineResult,
    Estimate,
    Sample,
    Trial,
    TrialKind,
    TrialSpec,
)
from fullrate.records.units import BitsPerSecond, Seconds
from fullrate.records.view import EndView, Missing, View

GIGABIT = 1e9
CEILING = 1e9 * 1448 / 1538  # 941.48 Mbit/s
FULL_RATE = 941e6
SECONDS = 10.0
MSS = 1448
NEAR, FAR = End.NEAR, End.FAR
OUT = Direction.NEAR_TO_FAR

Pair = tuple[Fact, Fact]
Facts = tuple[Fact, ...]
F = TypeVar("F", bound=Fact)

_SAID, _PROMISE = EngineResult(program="iperf3"), Promise()
_KEYS: dict[type[Fact], str] = {
    LinkCounters: "read /proc/net/dev",
    TcpSocket: "sockets 5201",
    CpuTimes: "read /proc/stat",
    Softnet: "read /proc/net/softnet_stat",
    Features: "run ethtool -k",
    FilterRule: "run nft --json list ruleset",
    Qdisc: "run tc -s -json qdisc show",
    QdiscClass: "run tc -s -json class show",
    Sysctl: "run sysctl -e",
    CgroupThrottling: "read cpu.stat",
    CgroupQuota: "run grep cpu.max",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """One host: what was collected, and what the windows of the trial and of the idle look showed."""

    interface: str | None
    address: str | None
    target: str
    facts: Facts = ()
    gaps: tuple[Gap, ...] = ()
    before: Facts = ()
    after: Facts = ()
    idle_before: Facts = ()
    idle_after: Facts = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """All that a view is made of. `rate` None: nothing was measured; `tries` come before the trial itself."""

    near: Side
    far: Side
    rate: BitsPerSecond | None = FULL_RATE
    half_width: BitsPerSecond = 1e6
    steady: bool = True
    protocol: str = "tcp"
    other: BitsPerSecond | None = 0.0
    retransmit_ratio: float | None = 0.0
    engine: EngineResult | None = _SAID
    speed: BitsPerSecond | None = GIGABIT
    promise: Promise = _PROMISE
    tries: tuple[Trial, ...] = ()
    looked: bool = True  # at the link at rest
    direction: Direction = OUT

    def side(self, end: End) -> Side:
        """One end."""
        return self.near if end is NEAR else self.far

    def with_side(self, end: End, side: Side) -> "Scene":
        """The scene with another end."""
        return replace(self, near=side) if end is NEAR else replace(self, far=side)

    def having(self, end: End, *facts: Fact) -> "Scene":
        """With these facts collected, in place of those of the same kind and identity."""
        side = self.side(end)
        return self.with_side(end, replace(side, facts=merged(side.facts, facts)))

    def seeing(self, end: End, *pairs: Pair) -> "Scene":
        """With these facts in the trial's window."""
        side = self.side(end)
        before, after = ([pair[moment] for pair in pairs] for moment in (0, 1))
        changed = replace(side, before=merged(side.before, before), after=merged(side.after, after))
        return self.with_side(end, changed)

    def resting(self, end: End, pair: Pair) -> "Scene":
        """With this fact in the window of the idle look."""
        side = self.side(end)
        changed = replace(
            side, idle_before=merged(side.idle_before, pair[:1]), idle_after=merged(side.idle_after, pair[1:])
        )
        return self.with_side(end, changed)

    def lacking(self, end: End, kind: type[Fact], *parts: str) -> "Scene":
        """Without the facts of one kind in some parts of an end."""
        side = self.side(end)
        kept = {part: tuple(fact for fact in getattr(side, part) if not isinstance(fact, kind)) for part in parts}
        return self.with_side(end, replace(side, **kept))  # type: ignore[arg-type]

    def refusing(self, end: End, kind: type[Fact]) -> "Scene":
        """With one kind of facts denied to us, and said so."""
        scene = self.lacking(end, kind, "facts")
        gap = Gap(wanted=kind.__name__, tried="run nft --json list ruleset", status=Status.DENIED, reason="needs root")
        return scene.with_side(end, replace(scene.side(end), gaps=(gap,)))

    def view(self) -> View:
        """The view of the scene."""
        return View(
            ends={end: self._end(end) for end in End},
            trials=self._trials(),
            promise=self.promise,
            direction=self.direction,
            speed=self.speed,
            ceilings=self._ceilings(),
        )

    def _ceilings(self) -> dict[Direction, BitsPerSecond]:
        sizes = [fact.mtu for end in End for fact in self.side(end).facts if isinstance(fact, Link)]
        if self.speed is None or not sizes:
            return {}
        goodput = link_goodput(self.speed, min(sizes), version=ip_version(self.far.address or ""))
        return {OUT: goodput, Direction.FAR_TO_NEAR: goodput}

    def _end(self, end: End) -> EndView:
        side = self.side(end)
        return EndView(
            end=end,
            snapshot=snapshot(side.facts, 0.0, side.gaps),
            interface=side.interface,
            address=side.address,
            target=side.target,
            sources_of=lambda kind: (kind.__name__,),
        )

    def _trials(self) -> tuple[Trial, ...]:
        look = (
            [Trial(id="t0", spec=IDLE, windows=self._windows("idle_before", "idle_after", 1.0))] if self.looked else []
        )
        return (*look, *self.tries, *([] if self.rate is None else [self._trial(self.rate)]))

    def _windows(self, before: str, after: str, seconds: Seconds) -> dict[End, Window]:
        return {
            end: Window(
                before=snapshot(getattr(self.side(end), before), 0.0),
                after=snapshot(getattr(self.side(end), after), seconds),
            )
            for end in End
        }

    def _trial(self, rate: BitsPerSecond) -> Trial:
        low, high = rate - self.half_width, rate + self.half_width
        return Trial(
            id="t1",
            spec=bulk(protocol=self.protocol, direction=self.direction),
            engine=self.engine,
            series=(Sample(at=SECONDS, seconds=SECONDS, throughput=rate),),
            throughput=Estimate(n=1, median=rate, ci_low=low, ci_high=high),
            steady=self.steady,
            settled=True,
            retransmit_ratio=self.retransmit_ratio,
            windows=self._windows("before", "after", SECONDS),
            port=5201,
            other_throughput=self.other,
        )


def merged(old: Facts, new: "Facts | list[Fact]") -> Facts:
    """Both, a new fact in the place of the old one about the same thing."""
    taken = {(type(fact), fact.identity) for fact in new}
    return (*(fact for fact in old if (type(fact), fact.identity) not in taken), *new)


def snapshot(facts: Facts, at: Seconds, gaps: tuple[Gap, ...] = ()) -> Snapshot:
    """Facts as read at one moment."""
    seen = [Observation(fact=fact, taken_at=at, source=_KEYS.get(type(fact), type(fact).__name__)) for fact in facts]
    return Snapshot(observations=tuple(seen), gaps=gaps)


def bulk(*, protocol: str = "tcp", direction: Direction = OUT, near_serves: bool = False) -> TrialSpec:
    """The specification of a test with one flow."""
    return TrialSpec(kind=TrialKind.BULK, protocol=protocol, direction=direction, near_serves=near_serves)


def attempt(
    failure: EngineFailure | None, *, port: int = 5201, blocked: bool = False, near_serves: bool = False
) -> Trial:
    """A test that gave no measurement."""
    return Trial(
        id=f"t-{port}",
        spec=bulk(near_serves=near_serves),
        engine=EngineResult(program="iperf3", failure=failure),
        failure="no answer" if blocked else f"{failure}",
        blocked=blocked,
        port=port,
    )


def counters(name: str, *, tx: float = 0.0, rx: float = 0.0, size: float = MSS, **grown: int) -> Pair:
    """A link's counters over the trial; tx and rx are payload rates, `size` the payload of a packet as counted."""
    fields = ("rx_bytes", "rx_packets", "rx_errors", "rx_dropped", "tx_bytes", "tx_packets", "tx_errors", "tx_dropped")
    packets = {way: round(rate * SECONDS / 8 / size) for way, rate in (("tx", tx), ("rx", rx))}
    more = {
        "tx_packets": packets["tx"],
        "rx_packets": packets["rx"],
        "tx_bytes": round(tx * SECONDS / 8) + 66 * packets["tx"],
        "rx_bytes": round(rx * SECONDS / 8) + 66 * packets["rx"],
        **grown,
    }
    start = {field: 1000 + number for number, field in enumerate(fields)}
    end = {field: start[field] + more.get(field, 0) for field in fields}
    return LinkCounters(subject=name, **start), LinkCounters(subject=name, **end)


def rest(name: str, *, tx: float = 0.0, rx: float = 0.0) -> Pair:
    """A link's counters over one second at rest; tx and rx in bits per second as the link counts them."""
    return counters(name, tx_bytes=round(tx / 8), rx_bytes=round(rx / 8))


def socket(rate: BitsPerSecond, *, port: int = 40000, lost: float = 0.0, **changed: object) -> Pair:
    """The sender's data connection over the trial; `lost` is the share of segments sent again."""
    sent = round(rate * SECONDS / 8)
    segments = sent // MSS
    first = TcpSocket(
        subject=f"10.0.0.1:{port} 10.0.0.2:5201",
        local_address="10.0.0.1",
        local_port=port,
        peer_address="10.0.0.2",
        peer_port=5201,
        state="ESTAB",
        mss=MSS,
        rtt=0.02,
        bytes_sent=14480,
        bytes_acked=14480,
        segments_out=10,
        retransmits=1,
        busy=0.5,
        receive_window_limited=0.0,
        send_buffer_limited=0.0,
        congestion_window=1600,
        send_window=3_000_000,
    )
    last = replace(
        first,
        bytes_sent=14480 + sent,
        bytes_acked=14480 + sent,
        segments_out=10 + segments,
        retransmits=1 + round(segments * lost),
        busy=0.5 + SECONDS,
    )
    return first, edited(last, **changed)


def reader(rate: BitsPerSecond, **changed: object) -> Pair:
    """The receiver's data connection over the trial."""
    first = TcpSocket(
        subject="10.0.0.2:5201 10.0.0.1:40000",
        local_address="10.0.0.2",
        local_port=5201,
        peer_address="10.0.0.1",
        peer_port=40000,
        state="ESTAB",
        receive_buffer=6_291_456,
        bytes_received=14480,
    )
    return first, replace(first, bytes_received=14480 + round(rate * SECONDS / 8), **changed)  # type: ignore[arg-type]


def cpu(number: int, busy: float) -> Pair:
    """One CPU's ticks over the trial, a third of its work in softirqs."""
    ticks = round(1000 * busy)
    still = {"nice": 0, "iowait": 0, "irq": 0, "steal": 0}
    first = CpuTimes(subject=str(number), user=100, system=200, idle=5000, softirq=300, **still)
    last = replace(first, system=200 + ticks - ticks // 3, softirq=300 + ticks // 3, idle=5000 + 1000 - ticks)
    return first, last


def softnet(number: int, *, dropped: int = 0) -> Pair:
    """One CPU's receive path over the trial."""
    first = Softnet(subject=str(number), processed=7000, dropped=3, time_squeeze=1)
    return first, replace(first, processed=90000, dropped=3 + dropped)


def qdisc(name: str, carried: BitsPerSecond, kind: str = "fq_codel", **fields: object) -> Pair:
    """A qdisc of the sender over the trial, the test's frames through it."""
    sent = round(carried * SECONDS / 8 * 1514 / 1448)
    first = Qdisc(subject=name, kind=kind, handle="0:", parent=None)
    first = replace(first, **{key: value for key, value in fields.items() if key not in _MOVING})  # type: ignore[arg-type]
    grown = {key: value for key, value in fields.items() if key in _MOVING}
    return first, replace(first, sent_bytes=sent, **grown)  # type: ignore[arg-type]


_MOVING = {"dropped", "overlimits"}


def htb(name: str, rate: BitsPerSecond, classid: str, *, limit: BitsPerSecond, ceiling: BitsPerSecond) -> Pair:
    """A class of htb over the trial, `rate` of the test through it."""
    first = QdiscClass(subject=name, kind="htb", classid=classid, parent="1:", rate=limit, ceiling=ceiling)
    return first, replace(first, sent_bytes=round(rate * SECONDS / 8 * 1514 / 1448), overlimits=800 if rate else 0)


def still(fact: Fact) -> Pair:
    """A fact that does not move during the trial."""
    return fact, fact


def features(name: str, **off: bool) -> Features:
    """Offloads, all on but those named (tso=False); a value of True stands for `off [fixed]`."""
    names = {
        "tx": "tx-checksumming",
        "sg": "scatter-gather",
        "tso": "tcp-segmentation-offload",
        "gso": "generic-segmentation-offload",
        "gro": "generic-receive-offload",
    }
    return Features(
        subject=name,
        features=tuple(
            Feature(name=long, on=short not in off, fixed=off.get(short, False)) for short, long in names.items()
        ),
    )


def rule(packets: int | None, *, size: int = 0, hook: str | None = "input", handle: int = 10) -> FilterRule:
    """A rule of chain `inet fw in` that drops one packet in twenty."""
    return FilterRule(
        subject=f"inet fw in {handle}",
        family="inet",
        table="fw",
        chain="in",
        handle=handle,
        hook=hook,
        text="numgen random mod 100 < 5 drop",
        verdict="drop",
        packets=packets,
        bytes=None if packets is None else size,
    )


def quota(path: str, cpus: float | None, *, throttled: int = 0, stopped: Seconds = 0.0) -> tuple[Pair, Pair]:
    """A cgroup's CPU limit, and what it did in the 100 periods of the trial."""
    first = CgroupThrottling(subject=path, periods=40, throttled_periods=4, throttled=1.5)
    last = replace(first, periods=140, throttled_periods=4 + throttled, throttled=1.5 + stopped)
    return still(CgroupQuota(subject=path, cpus=cpus)), (first, last)


def _collected(name: str, boot_id: str) -> Facts:
    return (
        Link(subject=name, ifindex=2, mtu=1500, operstate="UP", parent_device="0000:01:00.0"),
        features(name),
        HostIdentity(boot_id=boot_id),
        HostIdentity(kernel="6.1.0"),
        Qdisc(subject=name, kind="fq_codel", handle="0:", parent=None),
        Sysctl(subject="net.ipv4.tcp_rmem", value="4096 131072 6291456"),
        Sysctl(subject="net.ipv4.tcp_wmem", value="4096 16384 4194304"),
        Sysctl(subject="net.ipv4.tcp_mtu_probing", value="0"),
    )


def _running(name: str) -> list[Pair]:
    return [
        cpu(0, 0.4),
        cpu(1, 0.2),
        softnet(0),
        softnet(1),
        still(ProcessCgroup(subject="77", version=2, path="/system.slice/test")),
        *quota("/system.slice", None),
        *quota("/system.slice/test", None),
        still(ProcessPlacement(subject="77", name="iperf3", threads=1, cpus_allowed=(0, 1))),
        rest(name),
    ]


def healthy(rate: BitsPerSecond = FULL_RATE, *, lost: float = 0.0) -> Scene:
    """A job from enp1s0 (10.0.0.1) to enp3s0 (10.0.0.2, named nas) at a rate, with nothing wrong but a loss."""
    near = Side(interface="enp1s0", address="10.0.0.1", target="this host", facts=_collected("enp1s0", "boot-a"))
    far = Side(interface="enp3s0", address="10.0.0.2", target="root@nas", facts=_collected("enp3s0", "boot-b"))
    scene = Scene(near=near, far=far, rate=rate)
    return (
        scene.seeing(NEAR, *_running("enp1s0"))
        .seeing(FAR, *_running("enp3s0"))
        .seeing(NEAR, counters("enp1s0", tx=rate), socket(rate, lost=lost), qdisc("enp1s0", rate))
        .seeing(FAR, counters("enp3s0", rx=rate), reader(rate), qdisc("enp3s0", 0.0))
        .resting(NEAR, rest("enp1s0"))
        .resting(FAR, rest("enp3s0"))
    )


def untested(scene: Scene, *tries: Trial) -> Scene:
    """The scene with nothing measured, only tried."""
    return replace(scene, rate=None, tries=tries)


def on_ipv6(scene: Scene) -> Scene:
    """The scene over IPv6."""
    near = replace(scene.near, address="2001:db8::1")
    return replace(scene, near=near, far=replace(scene.far, address="2001:db8::2"))


def on_loopback(scene: Scene) -> Scene:
    """The scene within one host."""
    return replace(scene, near=replace(scene.near, interface="lo"), far=replace(scene.far, interface="lo"))


def judged(check: Check, scene: Scene) -> Judgement:
    """The verdict as the engine has it: Missing is UNKNOWN."""
    try:
        return check.diagnose(scene.view()).verdict
    except Missing:
        return Judgement.UNKNOWN


def found(check: Check, scene: Scene) -> Finding:
    """The finding of a check on a scene."""
    return check.diagnose(scene.view())


def asked(check: Check, scene: Scene) -> tuple[Ask, ...]:
    """What a check asks for on a scene, whichever way it says so."""
    try:
        return check.diagnose(scene.view()).asks
    except Missing as missing:
        return missing.asks


def evidence(finding: Finding, field: str) -> tuple[str, str]:
    """Source and value of the one piece of evidence whose field begins so."""
    (one,) = [(seen.source, seen.value) for seen in finding.evidence if seen.field.startswith(field)]
    return one


def edited(fact: F, **fields: object) -> F:
    """A fact with some fields changed, named at run time."""
    return replace(fact, **fields)  # type: ignore[arg-type]


def change(
    scene: Scene, end: End, kind: type[F], edit: Callable[[F], F], *, parts: tuple[str, ...] = ("after",)
) -> Scene:
    """The scene with every fact of one kind edited in some parts of an end."""
    side = scene.side(end)
    changed = {
        part: tuple(edit(fact) if isinstance(fact, kind) else fact for fact in getattr(side, part)) for part in parts
    }
    return scene.with_side(end, replace(side, **changed))  # type: ignore[arg-type]
