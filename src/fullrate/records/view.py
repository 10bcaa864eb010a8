"""What a check sees: both ends' facts, the trials, and one direction to judge.

`need` raises Missing, which the engine turns into an UNKNOWN finding with the asks that would decide;
`want` gives None.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeVar

from fullrate.records.datagrams import BUFFER_LIMITS, buffer_size, datagram_size
from fullrate.records.ends import Direction, End
from fullrate.records.evidence import Gap, parse_request
from fullrate.records.facts.base import Fact
from fullrate.records.facts.ethtool import DriverInfo
from fullrate.records.facts.link import Link, Route
from fullrate.records.facts.net import Sysctl
from fullrate.records.finding import Ask
from fullrate.records.goodput import ip_version
from fullrate.records.recipe import Recipe
from fullrate.records.recording import Promise
from fullrate.records.snapshot import Delta, Snapshot
from fullrate.records.target import server_name
from fullrate.records.trial import IDLE, Trial, TrialKind, TrialSpec
from fullrate.records.units import BitsPerSecond, Bytes

F = TypeVar("F", bound=Fact)


class Missing(Exception):  # noqa: N818 - a signal between a check and the engine, not an error
    """A needed fact or trial is not there; `asks` would bring it."""

    def __init__(self, what: str, asks: Iterable[Ask] = ()) -> None:
        """Say what is missing and how to get it."""
        super().__init__(what)
        self.what = what
        self.asks = tuple(asks)


@dataclass(frozen=True, slots=True, kw_only=True)
class EndView:
    """One end: its facts, the link under test, and why something could not be read."""

    end: End
    snapshot: Snapshot
    interface: str | None = None
    address: str | None = None
    target: str = ""
    sources_of: Callable[[type[Fact]], tuple[str, ...]] = field(default=lambda _: ())

    @property
    def seen(self) -> bool:
        """Whether a host stands for this end; behind a server of somebody else's nothing is ever seen."""
        return server_name(self.target) is None

    def all(self, kind: type[F]) -> tuple[F, ...]:
        """Every fact of one kind; empty also when it could not be read."""
        return self.snapshot.all(kind)

    def want(self, kind: type[F], subject: str | None = None) -> F | None:
        """The newest fact of one kind, or None."""
        return self.snapshot.find(kind, subject)

    def need(self, kind: type[F], subject: str | None = None) -> F:
        """The newest fact of one kind. Raises Missing with the requests that failed to bring it."""
        found = self.snapshot.find(kind, subject)
        if found is None:
            raise self.missing(kind, subject)
        return found

    def source_of(self, fact: Fact) -> str:
        """The key of the request that gave a fact."""
        return self.snapshot.source_of(fact)

    def gaps(self, kind: type[Fact]) -> tuple[Gap, ...]:
        """Why facts of one kind could not be read."""
        sources = self.sources_of(kind)
        return tuple(gap for gap in self.snapshot.gaps if gap.wanted in sources)

    def missing(self, kind: type[Fact], subject: str | None = None) -> Missing:
        """The signal that a fact of this end is missing."""
        what = f"{kind.__name__}{f' of {subject}' if subject else ''} on the {self.end} end"
        asks = [
            Ask(text=f"{gap.tried}  ({self.end} end: {gap.reason})", end=self.end, request=parse_request(gap.tried))
            for gap in self.gaps(kind)
        ]
        return Missing(what, asks or [Ask(text=what, end=self.end)])


@dataclass(frozen=True, slots=True, kw_only=True)
class WindowView:
    """What one end's facts did during one trial."""

    trial: Trial
    end: EndView

    def deltas(self, kind: type[F]) -> tuple[Delta[F], ...]:
        """The facts of one kind read at both ends of the window."""
        window = self.trial.windows.get(self.end.end)
        return () if window is None else window.deltas(kind)

    def want(self, kind: type[F], subject: str) -> Delta[F] | None:
        """One fact's difference, or None."""
        return next((delta for delta in self.deltas(kind) if delta.after.subject == subject), None)

    def need(self, kind: type[F], subject: str) -> Delta[F]:
        """One fact's difference. Raises Missing."""
        found = self.want(kind, subject)
        if found is None:
            raise self.end.missing(kind, subject)
        return found

    def course(self, kind: type[F], identity: str) -> tuple[F, ...]:
        """One fact in every sample of the trial, oldest first; of the kinds that move within it, the sockets."""
        window = self.trial.windows.get(self.end.end)
        samples = () if window is None else window.between
        return tuple(fact for sample in samples for fact in sample.all(kind) if fact.identity == identity)

    def latest(self, kind: type[F]) -> tuple[F, ...]:
        """The facts of one kind as last read during the trial."""
        window = self.trial.windows.get(self.end.end)
        return () if window is None else window.after.all(kind)

    def known(self, kind: type[F]) -> tuple[F, ...]:
        """The same for settings, which do not move: a program that ended early was read but once."""
        window = self.trial.windows.get(self.end.end)
        return () if window is None else window.after.all(kind) or window.before.all(kind)

    def source_of(self, fact: Fact) -> str:
        """The key of the request that gave a fact during the trial."""
        window = self.trial.windows.get(self.end.end)
        return "" if window is None else window.after.source_of(fact) or window.before.source_of(fact)


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """The whole run as seen from one direction."""

    ends: Mapping[End, EndView]
    trials: tuple[Trial, ...]
    promise: Promise
    direction: Direction
    speed: BitsPerSecond | None = None  # of the slower link, or as promised
    ceilings: Mapping[Direction, BitsPerSecond] = field(default_factory=dict)  # goodput, by direction
    recipes: Mapping[str, Recipe] = field(default_factory=dict)  # by driver, aliases included
    examined: EndView | None = None  # of checks that are asked per link or end
    alone: bool = False  # one link without a partner: both ends are it, and the look at rest stands for the trial

    @property
    def sender(self) -> EndView:
        """The end that sends in this direction."""
        return self.ends[self.direction.sender]

    @property
    def receiver(self) -> EndView:
        """The end that receives in this direction."""
        return self.ends[self.direction.receiver]

    @property
    def here(self) -> EndView:
        """The end, and with its interface the link, that a check per link or end is asked about."""
        return self.examined or self.sender

    @property
    def ceiling(self) -> BitsPerSecond:
        """The goodput this direction's link can carry. Raises Missing when no link speed is known."""
        found = self.ceilings.get(self.direction)
        if found is None:
            raise Missing("the link's speed", [Ask(text="state the promised rate: --link-speed 1G")])
        return found

    def end(self, end: End) -> EndView:
        """One end."""
        return self.ends[end]

    def runs(self, spec: TrialSpec) -> tuple[Trial, ...]:
        """Every trial made of one kind, oldest first; port, duration and roles do not matter."""
        return tuple(trial for trial in self.trials if _alike(trial.spec, spec))

    def bulk(self, protocol: str = "tcp", streams: int = 1) -> TrialSpec:
        """The trial that would measure this direction; of UDP whatever `protocol` says, when the user asked for UDP."""
        spec = TrialSpec(
            kind=TrialKind.BULK,
            direction=self.direction,
            protocol=protocol if self.promise.udp is None else "udp",
            streams=streams,
            max_seconds=self.promise.max_seconds,
            rate=self.promise.rate,
        )
        return spec if spec.protocol != "udp" else replace(spec, datagram=self._datagram(), buffer=self._buffer())

    def _datagram(self) -> Bytes | None:
        """What fits into one packet of either link, or of the path as far as a host knows it; None without an MTU."""
        pairs = [(end, self.ends[end.end.other].address) for end in self.ends.values()]
        links = [end.want(Link, end.interface) for end, _ in pairs if end.interface]
        routes = [end.want(Route, peer) for end, peer in pairs if peer]
        sizes = [fact.mtu for fact in (*links, *routes) if fact is not None and fact.mtu]
        return datagram_size(min(sizes), version=ip_version(self.receiver.address or "")) if sizes else None

    def _buffer(self) -> Bytes:
        """What both kernels let a program ask for."""
        found = [end.want(Sysctl, key) for end in self.ends.values() for key in BUFFER_LIMITS]
        limits = [limit.numbers[0] for limit in found if limit is not None and limit.numbers]
        return buffer_size(limits, unread=len(limits) < len(found))

    def want_trial(self, protocol: str = "tcp", streams: int = 1) -> Trial | None:
        """The newest measured trial of this direction, or None.

        For one stream also one that somebody else made with several: it is the test there is.
        """
        spec = self.bulk(protocol, streams)
        measured = [trial for trial in self.runs(spec) if trial.throughput is not None]
        if not measured and streams == 1:
            several = (replace(spec, streams=trial.spec.streams) for trial in self.trials if trial.told)
            measured = [trial for other in several for trial in self.runs(other) if trial.told]
        return measured[-1] if measured else None

    def trial(self, protocol: str = "tcp", streams: int = 1) -> Trial:
        """The newest measured trial of this direction. Raises Missing, which asks for it once."""
        if self.alone:
            return self.idle()
        found = self.want_trial(protocol, streams)
        if found is None:
            spec = self.bulk(protocol, streams)
            tried = self.runs(spec)
            asks = [] if tried else [Ask(text=f"measure: {spec.label}", trial=spec)]
            raise Missing(tried[-1].failure if tried else f"a measurement: {spec.label}", asks)
        return found

    def idle(self) -> Trial:
        """What the link carried before we sent anything. Raises Missing, which asks for it once."""
        found = self.runs(IDLE)
        if not found:
            raise Missing(
                "a look at the link at rest", [Ask(text="watch the link's counters for a second", trial=IDLE)]
            )
        return found[-1]

    def window(self, trial: Trial, end: EndView) -> WindowView:
        """What `end` showed during `trial`."""
        return WindowView(trial=trial, end=end)

    def stretches(self, end: EndView) -> tuple[WindowView, ...]:
        """Everything `end` was watched for, oldest first: the look at rest and every trial of either direction."""
        windows = [WindowView(trial=trial, end=end) for trial in self.trials if end.end in trial.windows]
        return tuple(windows)

    def recipe(self, end: EndView) -> Recipe | None:
        """What is known of the driver of an end's link; None for a driver without a recipe."""
        driver = end.want(DriverInfo, end.interface)
        return None if driver is None else self.recipes.get(driver.driver)


def _alike(one: TrialSpec, other: TrialSpec) -> bool:
    return (one.kind, one.direction, one.protocol, one.streams) == (
        other.kind,
        other.direction,
        other.protocol,
        other.streams,
    )
