"""Views for the tests of checks: a healthy job over a 1 Gbit/s link, and how to change one thing of it."""

import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
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
from fullrate.records.facts.ethtool import Features
from fullrate.records.facts.link import Link, LinkCounters
from fullrate.records.facts.net import FilterRule, FilterRuleset, HostIdentity, Sysctl, TcpSocket
from fullrate.records.facts.qdisc import Qdisc, QdiscClass
from fullrate.records.finding import Ask, Finding, Judgement
from fullrate.records.goodput import ip_version, link_goodput
from fullrate.records.leaf import Check
from fullrate.records.recipe import Recipe
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
from unit.checks.pairs import (
    SECONDS,
    Pair,
    counters,
    cpu,
    features,
    qdisc,
    quota,
    reader,
    rest,
    socket,
    softnet,
    still,
)

GIGABIT = 1e9
CEILING = 1e9 * 1448 / 1538  # 941.48 Mbit/s
FULL_RATE = 941e6
NEAR, FAR = End.NEAR, End.FAR
OUT = Direction.NEAR_TO_FAR
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
    FilterRuleset: "run nft --json list ruleset",
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
    between: tuple[Facts, ...] = ()  # samples of the sockets between the trial's first and last


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """All that a view is made of. `rate` None: nothing was measured; `tries` come before the trial itself."""

    near: Side
    far: Side
    rate: BitsPerSecond | None = FULL_RATE
    half_width: BitsPerSecond = 1e6
    steady: bool = True
    protocol: str = "tcp"
    streams: int = 1
    asked: BitsPerSecond | None = None  # the test's own limit
    buffer: int | None = None  # asked for its sockets
    other: BitsPerSecond | None = 0.0
    retransmit_ratio: float | None = 0.0
    engine: EngineResult | None = _SAID
    speed: BitsPerSecond | None = GIGABIT
    promise: Promise = _PROMISE
    tries: tuple[Trial, ...] = ()
    looked: bool = True  # at the link at rest
    told: bool = False  # the rate is the traffic program's word alone
    direction: Direction = OUT
    recipes: Mapping[str, Recipe] = field(default_factory=dict)  # by driver

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
            recipes=self.recipes,
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
        return {end: self._window(self.side(end), before, after, seconds) for end in End}

    @staticmethod
    def _window(side: Side, before: str, after: str, seconds: Seconds) -> Window:
        first, last = snapshot(getattr(side, before), 0.0), snapshot(getattr(side, after), seconds)
        return Window(
            before=first, after=last, between=(first, *(snapshot(facts, 0.5) for facts in side.between), last)
        )

    def _trial(self, rate: BitsPerSecond) -> Trial:
        low, high = rate - self.half_width, rate + self.half_width
        return Trial(
            id="t1",
            spec=replace(
                bulk(protocol=self.protocol, direction=self.direction, streams=self.streams),
                rate=self.asked,
                buffer=self.buffer,
            ),
            engine=self.engine,
            series=(Sample(at=SECONDS, seconds=SECONDS, throughput=rate),),
            throughput=Estimate(n=1, median=rate, ci_low=low, ci_high=high),
            steady=self.steady,
            settled=True,
            retransmit_ratio=self.retransmit_ratio,
            windows=self._windows("before", "after", SECONDS),
            port=5201,
            other_throughput=self.other,
            told=self.told,
        )


def merged(old: Facts, new: "Facts | list[Fact]") -> Facts:
    """Both, a new fact in the place of the old one about the same thing."""
    taken = {(type(fact), fact.identity) for fact in new}
    return (*(fact for fact in old if (type(fact), fact.identity) not in taken), *new)


def snapshot(facts: Facts, at: Seconds, gaps: tuple[Gap, ...] = ()) -> Snapshot:
    """Facts as read at one moment."""
    return Snapshot(observations=tuple(_observation(fact, at) for fact in facts), gaps=gaps)


def _observation(fact: Fact, at: Seconds) -> Observation:
    """A fact as read then; made once, for the mutations of a scene share nearly all of their facts."""
    made = _MADE.get((id(fact), at))
    if made is None:
        made = Observation(fact=fact, taken_at=at, source=_KEYS.get(type(fact), type(fact).__name__))
        _MADE[id(fact), at] = made  # keeps the fact too, so that its id stays its own
    return made


_MADE: dict[tuple[int, Seconds], Observation] = {}


def bulk(
    *, protocol: str = "tcp", direction: Direction = OUT, near_serves: bool = False, streams: int = 1
) -> TrialSpec:
    """The specification of a test, with one flow unless told otherwise."""
    return TrialSpec(
        kind=TrialKind.BULK, protocol=protocol, direction=direction, near_serves=near_serves, streams=streams
    )


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
        FilterRuleset(subject="nft"),
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


@functools.cache  # a frozen record, and what most scenes begin with
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


def change(
    scene: Scene, end: End, kind: type[F], edit: Callable[[F], F], *, parts: tuple[str, ...] = ("after",)
) -> Scene:
    """The scene with every fact of one kind edited in some parts of an end."""
    side = scene.side(end)
    changed = {
        part: tuple(edit(fact) if isinstance(fact, kind) else fact for fact in getattr(side, part)) for part in parts
    }
    return scene.with_side(end, replace(side, **changed))  # type: ignore[arg-type]
