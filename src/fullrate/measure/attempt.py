"""One attempt at a trial while it runs: the hosts and programs it has, and what came back so far."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from fullrate.host.protocol import Clock, Host, Process, SamplePlan, Sampling
from fullrate.measure import reading
from fullrate.measure.live import Gauge
from fullrate.measure.meter import Meter
from fullrate.measure.parts import Part, flows_of, parts_of
from fullrate.records.ends import Direction, End
from fullrate.records.facts.net import ProgramVersion
from fullrate.records.leaf import LaunchedGenerator, Scope, Source
from fullrate.records.progress import Progress
from fullrate.records.recording import FrameLog, Moment, ProgramOutput, TrialRecord
from fullrate.records.trial import TrialKind, TrialSpec
from fullrate.records.units import BitsPerSecond, Seconds


@dataclass(frozen=True, slots=True, kw_only=True)
class Party:
    """One end as a trial needs it."""

    end: End
    host: Host
    link: str
    address: str
    ifindex: int | None = None
    others: tuple[str, ...] = ()  # further links to watch: those below it, or all where no path singles one out
    known: Scope = field(default=Scope())  # what else is to be asked, and what needs not be
    name: str = ""  # as the user named it

    @property
    def links(self) -> tuple[str, ...]:
        """Every link to read."""
        return (self.link, *self.others) if self.link else self.others

    def within(self) -> "Party":
        """The same host by its own loopback."""
        return replace(self, link=reading.LOOPBACK, address=reading.LOOPBACK_ADDRESS, ifindex=None, others=())


@dataclass(frozen=True, slots=True, kw_only=True)
class Server:
    """A server that runs already, on a host that is none of ours: no party stands for that end."""

    address: str
    output: bool = True  # whether the client asks it for what it prints


@dataclass(frozen=True, slots=True, kw_only=True)
class Bench:
    """What every trial of a run shares; `bar` is the rate that the verdict hangs on, None when no ceiling is known.

    `generators` in the order in which they are preferred; `versions` by end and program.
    """

    parties: Mapping[End, Party]
    sources: Sequence[Source]
    generators: Sequence[LaunchedGenerator]
    versions: Mapping[tuple[End, str], ProgramVersion]
    clock: Clock
    progress: Progress
    bar: BitsPerSecond | None = None
    server: Server | None = None

    def refusals(self, generator: LaunchedGenerator, spec: TrialSpec) -> tuple[str, ...]:
        """Every reason why a traffic program cannot run a trial."""
        ends = (spec.server.other, spec.server) if spec.within is None else (spec.within, spec.within)
        return generator.refuses(spec, *(self.versions.get((end, generator.program)) for end in ends))

    def takes(self, spec: TrialSpec) -> LaunchedGenerator | None:
        """The first traffic program that can run a trial, or the one that it names; None when none can."""
        allowed = [one for one in self.generators if spec.program in {None, one.id}]
        return next((one for one in allowed if not self.refusals(one, spec)), None)

    def why_none(self, spec: TrialSpec) -> str:
        """Why no traffic program can run a trial: what the preferred one says that knows the kind of it."""
        said = [self.refusals(one, spec) for one in self.generators if spec.program in {None, one.id}]
        fewest = min((len(reasons) for reasons in said), default=0)
        closest = next((reasons for reasons in said if len(reasons) == fewest), ())
        return "; ".join(closest) or f"there is no traffic program {spec.program}"


@dataclass(slots=True, kw_only=True)
class Attempt:
    """One attempt while it runs; `programs` and `generators` by the number of their part."""

    bench: Bench
    spec: TrialSpec
    id: str
    ports: Sequence[int] = ()
    connect_within: Seconds = 0.0
    moments: list[Moment] = field(default_factory=list)
    samplings: dict[End, Sampling] = field(default_factory=dict)
    plans: dict[End, SamplePlan] = field(default_factory=dict)
    frames: dict[End, bytearray] = field(default_factory=dict)
    meters: dict[End, Meter] = field(default_factory=dict)
    gauges: dict[End, Gauge] = field(default_factory=dict)
    generators: dict[int, LaunchedGenerator] = field(default_factory=dict)
    programs: dict[tuple[int, str], Process] = field(default_factory=dict)
    outputs: list[ProgramOutput] = field(default_factory=list)
    failure: str = ""

    def record(self) -> TrialRecord:
        """What came back so far."""
        logs = [FrameLog(end=end, table=self.plans[end].table, data=bytes(data)) for end, data in self.frames.items()]
        return TrialRecord(
            id=self.id,
            spec=self.spec,
            generator=self.generators[0].id if 0 in self.generators else self.preferred,
            port=self.ports[0] if self.ports else None,
            moments=tuple(self.moments),
            frames=tuple(logs),
            outputs=tuple(self.outputs),
            failure=self.failure,
        )

    @property
    def preferred(self) -> str:
        """The id of the traffic program that would be taken if it could; empty where nothing is sent."""
        return self.bench.generators[0].id if self.spec.sends and self.bench.generators else ""

    @property
    def parts(self) -> tuple[Part, ...]:
        """The pairs of programs; none of a look at the link at rest."""
        return parts_of(self.spec) if self.spec.sends else ()

    @property
    def parties(self) -> Mapping[End, Party]:
        """The hosts that take part, each once."""
        inner = self.spec.within
        return self.bench.parties if inner is None else {inner: self.bench.parties[inner].within()}

    def party(self, end: End) -> Party:
        """The host of one end's programs."""
        return self.parties[self.spec.within or end]

    def end_of(self, part: Part, role: str) -> End:
        """Where one half of a pair of programs runs."""
        return part.spec.server if role == "server" else part.spec.server.other

    def port(self, part: Part) -> int:
        """Where its two halves meet."""
        return self.ports[part.number]

    def flows(self) -> Iterator[TrialSpec]:
        """What is measured by counters: bulk traffic, each direction by itself."""
        return (flows for flows in flows_of(self.spec) if flows.kind is TrialKind.BULK)

    def watched(self, direction: Direction) -> End:
        """The end whose counters give a direction's rate."""
        return self.spec.within or reading.watched(direction, self.bench.parties)

    @property
    def uncounted(self) -> str:
        """What of the trial nobody would see arrive; empty when all of it is seen."""
        for flows in self.flows():
            seen = self.spec.within is not None or self.watched(flows.direction) is flows.direction.receiver
            if not seen and (flows.protocol != "tcp" or flows.beside):
                what = flows.protocol if flows.protocol != "tcp" else "traffic both ways"
                return f"what arrives of {what} only its receiver sees: use a host there"
        return ""
