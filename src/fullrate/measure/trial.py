"""Runs one trial between two hosts: counters before, sampler, server, client, counters after.

Everything received goes into a TrialRecord; what it means is read from there (`reading`). The trial ends as soon as
the receiver's series decides, so nothing here waits for a fixed time.
"""

import functools
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace

from fullrate import collect
from fullrate.host.clock import attempts, raise_lost
from fullrate.host.protocol import Clock, Command, Host, Process, ProcessState, SamplePlan, Sampling
from fullrate.measure import reading
from fullrate.measure.meter import Meter, meter_for
from fullrate.measure.vanished import why_gone, why_silent
from fullrate.records.ends import End
from fullrate.records.errors import TargetError
from fullrate.records.evidence import Reply, Request, Status, query
from fullrate.records.facts.net import ProgramVersion
from fullrate.records.leaf import Endpoint, Launch, LaunchedGenerator, Scope, Source
from fullrate.records.progress import Progress
from fullrate.records.recording import FrameLog, Moment, ProgramOutput, TrialRecord
from fullrate.records.trial import TrialSpec
from fullrate.records.units import BitsPerSecond, Seconds

IDLE_SECONDS = 1.0
_STEP = 0.1
_LISTEN_WITHIN = 3.0  # iperf3 listens within 60 ms of its start; a slow board needs longer
_UNSEEN_LISTEN = 0.5  # given to a server whose socket cannot be looked for
_EARLY = 1.2  # the programs run and their connections exist
_LOOK_EVERY = 0.5
_CLOSE_WITHIN = 2.0  # the server's own end after its client's
_LINK_GONE = 2.0  # a link that is listed no more for so long does not come back by itself


class TrialLost(TargetError):  # noqa: N818 - it is what happened to the trial
    """A host was lost in the middle of a trial; `record` holds what came until then."""

    def __init__(self, record: TrialRecord) -> None:
        """Keep the record; its failure is the message."""
        super().__init__(record.failure)
        self.record = record


class TrialStopped(KeyboardInterrupt):
    """Ctrl-C came in the middle of a trial; `record` holds what came until then."""

    def __init__(self, record: TrialRecord) -> None:
        """Keep the record."""
        super().__init__(record.failure)
        self.record = record


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

    @property
    def links(self) -> tuple[str, ...]:
        """Every link to read."""
        return (self.link, *self.others) if self.link else self.others


@dataclass(frozen=True, slots=True, kw_only=True)
class Server:
    """A server that runs already, on a host that is none of ours: no party stands for that end."""

    address: str
    output: bool = True  # whether the client asks it for what it prints


@dataclass(frozen=True, slots=True, kw_only=True)
class Bench:
    """What every trial of a run shares; `bar` is the rate that the verdict hangs on, None when no ceiling is known."""

    parties: Mapping[End, Party]
    sources: Sequence[Source]
    generator: LaunchedGenerator
    versions: Mapping[End, ProgramVersion]
    clock: Clock
    progress: Progress
    bar: BitsPerSecond | None = None
    server: Server | None = None


@dataclass(slots=True, kw_only=True)
class _Attempt:
    """One attempt while it runs."""

    bench: Bench
    spec: TrialSpec
    id: str
    port: int | None = None
    connect_within: Seconds = 0.0
    moments: list[Moment] = field(default_factory=list)
    samplings: dict[End, Sampling] = field(default_factory=dict)
    plans: dict[End, SamplePlan] = field(default_factory=dict)
    frames: dict[End, bytearray] = field(default_factory=dict)
    meters: dict[End, Meter] = field(default_factory=dict)
    programs: dict[str, Process] = field(default_factory=dict)
    outputs: list[ProgramOutput] = field(default_factory=list)
    failure: str = ""

    def record(self) -> TrialRecord:
        logs = [FrameLog(end=end, table=self.plans[end].table, data=bytes(data)) for end, data in self.frames.items()]
        return TrialRecord(
            id=self.id,
            spec=self.spec,
            generator=self.bench.generator.id if self.spec.sends else "",
            port=self.port,
            moments=tuple(self.moments),
            frames=tuple(logs),
            outputs=tuple(self.outputs),
            failure=self.failure,
        )

    def party(self, role: str) -> Party:
        server = self.spec.server
        return self.bench.parties[server if role == "server" else server.other]

    @property
    def countable(self) -> bool:
        """Whether what arrives is seen: by the receiver, or by a sender that is told (TCP)."""
        return self.spec.protocol == "tcp" or self.watched is self.spec.direction.receiver

    @property
    def watched(self) -> End:
        return reading.watched(self.spec.direction, self.bench.parties)


def watch_idle(bench: Bench, spec: TrialSpec, trial_id: str) -> TrialRecord:
    """What both links carry before we send anything. Raises TrialLost, TrialStopped."""
    return _kept(_Attempt(bench=bench, spec=spec, id=trial_id), _watch)


def look(bench: Bench, spec: TrialSpec, trial_id: str, seconds: Seconds) -> TrialRecord:
    """What all counters of the links do in some seconds, nothing being sent. Raises TrialLost, TrialStopped."""

    def work(attempt: _Attempt) -> None:
        _ask_counters(attempt, "before")
        _watch(attempt, seconds)
        _ask_counters(attempt, "after")

    return _kept(_Attempt(bench=bench, spec=spec, id=trial_id), work)


def run(bench: Bench, spec: TrialSpec, trial_id: str, port: int, *, connect_within: Seconds) -> TrialRecord:
    """One attempt on one port. What goes wrong with the programs is in the record. Raises TrialLost, TrialStopped."""
    attempt = _Attempt(bench=bench, spec=spec, id=trial_id, port=port, connect_within=connect_within)
    refusal = bench.generator.refuses(spec, *(bench.versions.get(end) for end in (spec.server.other, spec.server)))
    if refusal or not attempt.countable:
        attempt.failure = (
            "; ".join(refusal) or f"what arrives of {spec.protocol} only its receiver sees: use a host there"
        )
        return attempt.record()
    return _kept(attempt, _send)


def _kept(attempt: _Attempt, work: Callable[[_Attempt], None]) -> TrialRecord:
    """The record after the work. Raises TrialLost or TrialStopped, with what there is of it."""
    try:
        work(attempt)
    except TargetError as error:
        attempt.failure = str(error)
        raise TrialLost(attempt.record()) from error
    except KeyboardInterrupt as stop:
        attempt.failure = "stopped by the user"
        raise TrialStopped(attempt.record()) from stop
    return attempt.record()


def _watch(attempt: _Attempt, seconds: Seconds = IDLE_SECONDS) -> None:
    with ExitStack() as stack:
        _start_sampling(attempt, stack)
        attempt.bench.clock.sleep(seconds + _STEP)


def _send(attempt: _Attempt) -> None:
    _ask_counters(attempt, "before")
    with ExitStack() as stack:
        _start_sampling(attempt, stack)
        if attempt.bench.server is not None or _start_server(attempt, stack):
            _start(attempt, "client", stack)
            _follow(attempt)
    _ask_counters(attempt, "after")


def _ask_counters(attempt: _Attempt, name: str) -> None:
    sources = collect.counters(attempt.bench.sources)
    _moment(attempt, name, lambda party: collect.ask_new(party.host, sources, _counted(party)))


def _counted(party: Party) -> Scope:
    return replace(party.known, links=party.links)


def _moment(attempt: _Attempt, name: str, ask: Callable[[Party], tuple[Reply, ...]]) -> None:
    """Ask both ends at once. When one is lost, the other's replies are kept all the same."""
    parties = list(attempt.bench.parties.values())
    answers = attempts([functools.partial(ask, party) for party in parties])
    attempt.moments += [
        Moment(name=name, end=party.end, replies=replies)
        for party, replies in zip(parties, answers, strict=True)
        if not isinstance(replies, TargetError)
    ]
    raise_lost(answers)


def _start_sampling(attempt: _Attempt, stack: ExitStack) -> None:
    ports = () if attempt.port is None else (attempt.port,)
    for end, party in attempt.bench.parties.items():
        plan = _plan(attempt.bench.sources, replace(_counted(party), ports=ports))
        attempt.plans[end] = plan
        attempt.frames[end] = bytearray()
        attempt.meters[end] = meter_for(
            plan.table,
            attempt.bench.sources,
            link=party.link,
            address=party.address,
            protocol=attempt.spec.protocol,
            sends=end is attempt.watched is attempt.spec.direction.sender,
        )
        attempt.samplings[end] = party.host.sample(plan)
        stack.callback(_end_sampling, attempt, end)


def _plan(sources: Sequence[Source], scope: Scope) -> SamplePlan:
    def of(rate: int) -> tuple[Request, ...]:
        return collect.wanted([source for source in sources if source.sampled == rate], scope)

    return SamplePlan(fast=of(10), slow=of(1))


def _end_sampling(attempt: _Attempt, end: End) -> None:
    attempt.frames[end] += attempt.samplings[end].stop()


def _start_server(attempt: _Attempt, stack: ExitStack) -> bool:
    """Whether the server listens; if it ended instead, its output says why."""
    server = _start(attempt, "server", stack)
    clock = attempt.bench.clock
    until = clock.now() + _LISTEN_WITHIN
    while clock.now() < until:
        if server.poll().exit_code is not None:
            return False
        listens = _listens(attempt, server)
        if listens is None:
            clock.sleep(_UNSEEN_LISTEN)
            return server.poll().exit_code is None
        if listens:
            return True
        clock.sleep(0.02)
    attempt.failure = f"the server did not listen on port {attempt.port} within {_LISTEN_WITHIN:g} s"
    return False


def _listens(attempt: _Attempt, server: Process) -> bool | None:
    """Whether this very program listens, not one that held the port before; None where `ss` cannot tell."""
    probe = query("ss", "-tlnpH", f"sport = :{attempt.port}")
    reply = attempt.party("server").host.ask([probe])[0]
    return f"pid={server.pid},".encode() in reply.payload if reply.status is Status.OK else None


def _start(attempt: _Attempt, role: str, stack: ExitStack) -> Process:
    launch = _launch(attempt, role)
    process = attempt.party(role).host.launch(Command(argv=launch.argv, deadline=launch.deadline))
    attempt.programs[role] = process
    stack.callback(_end_program, attempt, role, launch)
    return process


def _launch(attempt: _Attempt, role: str) -> Launch:
    spec, bench = attempt.spec, attempt.bench
    endpoint = Endpoint(
        server_address=bench.server.address if bench.server else attempt.party("server").address,
        client_address=attempt.party("client").address,
        port=attempt.port or 0,
        connect_within=attempt.connect_within,
        server_output=bench.server is not None and bench.server.output,
    )
    build = bench.generator.server if role == "server" else bench.generator.client
    return build(spec, endpoint, bench.versions[attempt.party(role).end])


def _end_program(attempt: _Attempt, role: str, launch: Launch) -> None:
    """Keep the program's output; the client ends first, then the server by itself, or by us."""
    process = attempt.programs[role]
    state = process.poll()
    if role == "server" and _served(attempt):
        state = _await_end(attempt.bench.clock, process, within=_CLOSE_WITHIN)
    stopped = state.exit_code is None
    if stopped:
        state = process.stop()
    attempt.outputs.append(
        ProgramOutput(
            role=role,
            end=attempt.party(role).end,
            argv=launch.argv,
            stdout=state.stdout,
            stderr=state.stderr,
            exit_code=state.exit_code,
            stopped=stopped,
            pid=state.pid,
            started=state.started,
        )
    )


def _served(attempt: _Attempt) -> bool:
    """Whether the client reached the server, which then ends by itself."""
    return bool(attempt.outputs) and attempt.bench.generator.read(attempt.spec, tuple(attempt.outputs)).failure is None


def _await_end(clock: Clock, process: Process, *, within: Seconds) -> ProcessState:
    until = clock.now() + within
    state = process.poll()
    while state.exit_code is None and clock.now() < until:
        clock.sleep(0.05)
        state = process.poll()
    return state


def _follow(attempt: _Attempt) -> None:
    """Watch until the series decides, the program ends, or its time is up. Raises TargetError when a link is gone."""
    clock, client = attempt.bench.clock, attempt.programs["client"]
    started, next_look, early = clock.now(), _LOOK_EVERY, False
    while clock.now() - started < attempt.spec.max_seconds:
        clock.sleep(_STEP)
        elapsed = clock.now() - started
        _take(attempt)
        if client.poll().exit_code is not None:
            return
        if not early and elapsed >= _EARLY:
            early = _ask_processes(attempt, "early")
        if elapsed >= next_look:
            next_look += _LOOK_EVERY
            _see_links(attempt)
            if _decided(attempt, elapsed):
                break
    if client.poll().exit_code is None:
        _ask_processes(attempt, "late")


def _take(attempt: _Attempt) -> None:
    for end, sampling in attempt.samplings.items():
        data = sampling.take()
        attempt.frames[end] += data
        attempt.meters[end].add(data)


def _see_links(attempt: _Attempt) -> None:
    """Raise TargetError when the link of an end has vanished or is down: no further test can run then either."""
    for end, meter in attempt.meters.items():
        if meter.link_missing > _LINK_GONE:
            party = attempt.bench.parties[end]
            raise TargetError(why_gone(party.host, attempt.bench.sources, link=party.link, ifindex=party.ifindex))
    if attempt.meters[attempt.watched].silent <= _LINK_GONE:
        return
    for party in attempt.bench.parties.values():
        if why := why_silent(party.host, attempt.bench.sources, link=party.link):
            raise TargetError(why)


def _ask_processes(attempt: _Attempt, name: str) -> bool:
    pids = {attempt.party(role).end: process.pid for role, process in attempt.programs.items()}
    ports = () if attempt.port is None else (attempt.port,)
    sources = attempt.bench.sources
    _moment(
        attempt,
        name,
        lambda party: collect.ask_processes(party.host, sources, Scope(pids=(pids[party.end],), ports=ports)),
    )
    return True


def _decided(attempt: _Attempt, elapsed: Seconds) -> bool:
    series = attempt.meters[attempt.watched].flow().series
    if series:
        attempt.bench.progress.tick(series[-1].throughput)
    sender = attempt.meters.get(attempt.spec.direction.sender)
    floor = reading.floor_for(sender.algorithms if sender else ())
    return reading.decided(series, attempt.bench.bar, elapsed=elapsed, floor=floor)


def swapped(spec: TrialSpec) -> TrialSpec:
    """The same trial with the server on the other end."""
    return replace(spec, near_serves=not spec.near_serves)
