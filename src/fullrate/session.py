"""Tests between the two hosts of a visit: which program makes the traffic, at which port, in which roles.

Everything received goes into the recording; what it means is not decided here.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from fullrate.doctor import install_hint
from fullrate.host.clock import SystemClock
from fullrate.host.protocol import Clock
from fullrate.measure import trial as trials
from fullrate.measure.attempt import Bench, Party, Server
from fullrate.measure.parts import parts_of, trouble_of
from fullrate.measure.placement import placement
from fullrate.measure.profiles import Site
from fullrate.records.datagrams import BUFFER_LIMITS, buffer_size, datagram_size, fitted
from fullrate.records.ends import ONE_WAY, End
from fullrate.records.event import AnyEvent
from fullrate.records.evidence import ReadFile, query
from fullrate.records.facts.link import Link
from fullrate.records.facts.net import ListeningSocket, ProgramVersion, Sysctl
from fullrate.records.finding import Ask
from fullrate.records.goodput import ip_version
from fullrate.records.leaf import LaunchedGenerator
from fullrate.records.recording import TrialRecord
from fullrate.records.target import one_sided
from fullrate.records.trial import IDLE, EngineFailure, TrialKind, TrialSpec
from fullrate.records.units import BitsPerSecond, Seconds
from fullrate.visit import Visit

_NEXT_PORT = {EngineFailure.BUSY, EngineFailure.PORT_IN_USE, EngineFailure.UNREACHABLE, EngineFailure.REFUSED}
LOOK_SECONDS: Seconds = 5.0  # long enough for errors that come once a second, short enough to wait for
_FIRST_CONNECT: Seconds = 3.0  # a SYN lost once is sent again after 1 s (RFC 6298)
_LATER_CONNECT: Seconds = 1.0  # silence on one port makes silence on the next likely
_KNOWN: Seconds = 5.0
_PAUSES: tuple[Seconds, ...] = (2.0, 3.0)  # before a busy server of somebody else's is asked again


def _about(spec: TrialSpec) -> Seconds:
    """How long a test takes: the time it is given, or until most rates are known."""
    return spec.max_seconds if spec.whole or spec.kind is not TrialKind.BULK else min(_KNOWN, spec.max_seconds)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Place:
    """Where a trial is tried, and how long a connection may take there."""

    spec: TrialSpec
    port: int
    wait: Seconds


@dataclass(slots=True, kw_only=True)
class Session(Visit):
    """A visit in which tests are made."""

    generators: tuple[LaunchedGenerator, ...]  # traffic programs, in the order in which they are preferred
    asked: list[Ask] = field(default_factory=list)
    place: tuple[bool, int] | None = None  # the roles (near serves) and the port that worked
    server_output: bool = True  # whether the near end's build can ask a server for what it prints
    clock: Clock = field(default_factory=SystemClock)
    looked_for: set[tuple[End, str]] = field(default_factory=set)  # traffic programs

    def tell(self, events: Iterable[AnyEvent]) -> None:
        """Pass on what became known."""
        for event in events:
            self.progress.tell(event)

    def look(self) -> None:
        """Watch every counter of the near end's links for some seconds, without traffic."""
        self.progress.phase("watching the counters", LOOK_SECONDS)
        try:
            self._add(trials.look(self._bench(None), IDLE, self._trial_id(), LOOK_SECONDS))
        except (trials.TrialLost, trials.TrialStopped) as cut:
            self._add(cut.record)
            raise

    def can_test(self) -> bool:
        """Whether both ends are there and a path between them is known."""
        both = {*self.hosts, self._server_end} >= set(End) and all(self.recording.ends[end].address for end in End)
        return both and not self.only_read

    @property
    def only_read(self) -> str:
        """Why no test can run between two hosts that were read, and how to go on; empty when nothing is in its way."""
        shut = [end for end in self._open_ends() if self.hosts[end].reads_only]
        return self._how_to_go_on(shut[0]) if shut else ""

    def _how_to_go_on(self, end: End) -> str:
        host = self.hosts[end]
        hint = install_hint("python3", self.replies(end))
        ways = [f"to measure, {hint}", *([self._one_sided()] if end is End.FAR else [])]
        return f"{host.label} {host.reads_only} and was only read, with its shell; {', or '.join(ways)}"

    def _one_sided(self) -> str:
        """How to measure from the near end alone, to a server that runs on the far one already if there is one."""
        known = self.snapshot(End.FAR).all(ListeningSocket)
        ports = [one.port for one in known if one.process == self.generators[0].program]
        check = one_sided(self.job.targets[End.FAR].name, ports[0] if ports else None)
        return f"here `{check}`: a server runs there" if ports else f"run `iperf3 -s` there and here `{check}`"

    def give_up(self, why: str) -> None:
        """Record a test that was to be made and could not; nothing when there is no reason."""
        spec = TrialSpec(kind=TrialKind.BULK, direction=ONE_WAY[0], max_seconds=self.job.promise.max_seconds)
        if why:
            self._add(TrialRecord(id=self._trial_id(), spec=spec, generator="", failure=why))

    def answer(self, ask: Ask, bar: BitsPerSecond | None) -> None:
        """Make a request or a trial that a check asked for, and keep what comes back."""
        self.asked.append(ask)
        if ask.trial is not None:
            self._run_trial(ask.trial, bar)
        elif ask.request is not None and ask.end is not None:
            self.progress.phase(ask.text, 1)
            self._keep(ask.end, "ask", self.hosts[ask.end].ask([ask.request]))

    def _run_trial(self, spec: TrialSpec, bar: BitsPerSecond | None) -> None:
        bench = self._bench(bar)
        try:
            if spec.sends:
                self._learn_programs(spec)
                self._try_places(bar, spec)
            else:
                self.progress.phase("watching the link at rest", trials.IDLE_SECONDS)
                self._add(trials.watch_idle(bench, spec, self._trial_id()))
        except (trials.TrialLost, trials.TrialStopped) as cut:
            self._add(cut.record)
            raise

    def _learn_programs(self, spec: TrialSpec) -> None:
        """Look for the traffic programs that could run a trial, until one is where it runs; say what is missing."""
        ends = self._open_ends() if spec.within is None else [spec.within]
        for part in parts_of(spec) if self._server_end is None else ():
            able = [one for one in self.generators if self._could(one, part.spec)]
            for generator in able:
                if self._is_there(generator, ends, say=generator is able[0]):
                    break

    def _could(self, generator: LaunchedGenerator, spec: TrialSpec) -> bool:
        """Whether a traffic program could run a trial if it were on both ends."""
        there = ProgramVersion(subject=generator.program, version="")
        return spec.program in {None, generator.id} and not generator.refuses(spec, there, there)

    def _is_there(self, generator: LaunchedGenerator, ends: Sequence[End], *, say: bool) -> bool:
        """Whether a traffic program is on these ends; each is asked once, and said once to be without it."""
        new = [end for end in ends if (end, generator.program) not in self.looked_for]
        self.looked_for.update((end, generator.program) for end in new)
        for end in self._without(generator.program, new) if generator is not self.generators[0] else ():
            self._keep(end, "ask", self.hosts[end].ask([generator.probe]))
        for end in self._without(generator.program, new) if say else ():
            self.note(f"{self.hosts[end].label} has no {install_hint(generator.program, self.replies(end))}")
        return not self._without(generator.program, ends)

    def _without(self, program: str, ends: Sequence[End]) -> list[End]:
        return [end for end in ends if self.snapshot(end).find(ProgramVersion, program) is None]

    def _try_places(self, bar: BitsPerSecond | None, spec: TrialSpec) -> None:
        """Run the trial at the first place where it can; a server of somebody else's that is busy is asked again."""
        places = self._places(spec)
        for pause in (0.0, *([] if self._server_end is None else _PAUSES)):
            if pause:
                self.progress.phase("waiting for the busy server", pause)
                self.clock.sleep(pause)
            places = self._busy_of(places, bar)
            if not places:
                return

    def _busy_of(self, places: Sequence[_Place], bar: BitsPerSecond | None) -> list[_Place]:
        """Those of the places where the server was busy, each tried once; none when one of them settled the matter."""
        busy: list[_Place] = []
        for place in places:
            failure = self._try(place, bar)
            if failure is None:
                return []
            if failure is EngineFailure.BUSY:
                busy.append(place)
        return busy

    def _try(self, place: _Place, bar: BitsPerSecond | None) -> EngineFailure | None:
        """Run the trial at one place: why it should be tried at another; None when it should not."""
        spec, bench = place.spec, self._bench(bar)
        way = f"{spec.label}, port {place.port}{' (roles swapped)' if spec.near_serves else ''}"
        self.progress.phase(f"measuring {way}", _about(spec))
        record = trials.run(bench, spec, self._trial_id(), self._ports(place), connect_within=place.wait)
        failure = self._failure(record)
        again = failure in _NEXT_PORT and not record.failure
        self._add(record.without_samples() if again else record)
        other = self._instead(place, failure, bench)
        if other is not None:
            return self._try(other, bar)
        if failure is None and not record.failure:
            self.place = spec.near_serves, place.port
        return failure if again else None

    def _failure(self, record: TrialRecord) -> EngineFailure | None:
        """Why the programs of a trial gave no measurement; None when they did, or none was started."""
        trouble = trouble_of(record, {one.id: one for one in self.generators}) if record.outputs else None
        return None if trouble is None else trouble.failure

    def _instead(self, place: _Place, failure: EngineFailure | None, bench: Bench) -> _Place | None:
        """The same test as it can run there, where it failed for an option or its datagrams' size; else None."""
        if failure is EngineFailure.OPTION and bench.server is not None and bench.server.output:
            self.server_output = False  # nothing was sent: this build cannot ask for it
            return place
        smaller = self._fitting(place.spec) if failure is EngineFailure.TOO_LARGE else None
        return None if smaller is None else replace(place, spec=smaller)

    def _ports(self, place: _Place) -> tuple[int, ...]:
        """A port for each pair of programs: those that may be used from the place's on, in turn, then those above."""
        count, allowed = len(parts_of(place.spec)), self.job.promise.ports
        turn = allowed.index(place.port) if place.port in allowed else 0
        ports = (*allowed[turn:], *allowed[:turn])
        return (*ports, *range(max(ports) + 1, max(ports) + 1 + count))[:count]

    def _fitting(self, spec: TrialSpec) -> TrialSpec | None:
        """The test with datagrams that fit the path as its sender has just learned it; None when it learned nothing."""
        end, peer = spec.direction.sender, self.recording.ends[spec.direction.receiver].address
        if end not in self.hosts or peer is None:
            return None
        self._keep(end, "ask", self.hosts[end].ask([query("ip", "-json", "route", "get", peer)]))
        return fitted(spec, self.snapshot(end), peer)

    def _places(self, spec: TrialSpec) -> list[_Place]:
        """Which roles and ports to try, those that worked first; else every port, then all with the roles swapped.

        A server of somebody else's has no other role.
        """
        roles = (False, True) if self._server_end is None else (False,)
        every = [(near_serves, port) for near_serves in roles for port in self.job.promise.ports]
        places = dict.fromkeys([*([] if self.place is None else [self.place]), *every])
        return [
            _Place(spec=replace(spec, near_serves=place[0]), port=place[1], wait=self._wait(place)) for place in places
        ]

    def _wait(self, place: tuple[bool, int]) -> Seconds:
        """How long a connection may take there."""
        return _FIRST_CONNECT if place == self.place or place[1] == self.job.promise.ports[0] else _LATER_CONNECT

    def _bench(self, bar: BitsPerSecond | None) -> Bench:
        parties: dict[End, Party] = {}
        versions: dict[tuple[End, str], ProgramVersion] = {}
        for end in self._open_ends():
            record = self.recording.ends[end]
            parties[end] = Party(
                end=end,
                host=self.hosts[end],
                link=record.interface or "",
                address=record.address or "",
                ifindex=link.ifindex if (link := self.snapshot(end).find(Link, record.interface or "")) else None,
                others=tuple(link for link in self._links(end) if link != record.interface),
                known=self._known(end),
                name=self.job.targets[end].text,
            )
            found = (self.snapshot(end).find(ProgramVersion, one.program) for one in self.generators)
            versions |= {(end, version.subject): version for version in found if version is not None}
        if self._server_end is not None:  # the target says that it is there; which version, only it can tell
            program = self.generators[0].program
            versions[self._server_end, program] = ProgramVersion(subject=program, version="")
        return Bench(
            parties=parties,
            sources=self.sources,
            generators=self.generators,
            versions=versions,
            clock=self.clock,
            progress=self.progress,
            bar=bar,
            server=self._server(),
        )

    def _server(self) -> Server | None:
        if self._server_end is None:
            return None
        address = self.recording.ends[self._server_end].address or ""
        return Server(address=address, output=self.server_output)

    def _trial_id(self) -> str:
        return f"t{len(self.recording.trials) + 1}"

    def site(self) -> Site:
        """What tests are made for: the CPUs that are best for programs, datagrams that fit, who is at the far end."""
        cpus: dict[End, tuple[int, ...]] = {}
        for end in self._open_ends():
            self._keep(end, "ask", self.hosts[end].ask([ReadFile(path="/proc/self/status")]))
            cpus[end] = placement(self.snapshot(end), self.recording.ends[end].interface or "")
        links = [self.snapshot(end).find(Link, self.recording.ends[end].interface or "") for end in self._open_ends()]
        mtu = min((link.mtu for link in links if link is not None), default=None)
        version = ip_version(self.recording.ends[End.FAR].address or "")
        return Site(
            near_cpus=cpus.get(End.NEAR, ()),
            far_cpus=cpus.get(End.FAR, ()),
            datagram=None if mtu is None else datagram_size(mtu, version=version),
            buffer=buffer_size(self._buffer_limits(), unread=self._server_end is not None),
            one_sided=self._server_end is not None,
        )

    def _buffer_limits(self) -> list[int]:
        """What both ends' kernels allow a socket."""
        found = (self.snapshot(end).find(Sysctl, key) for end in self._open_ends() for key in BUFFER_LIMITS)
        return [setting.numbers[0] for setting in found if setting is not None and setting.numbers]

    def plan(self, tests: tuple[TrialSpec, ...]) -> None:
        """Keep in the recording which tests are to be made."""
        self.recording = replace(self.recording, promise=replace(self.recording.promise, tests=tests))

    def allow_load(self) -> None:
        """The user agreed to send although the link is in use."""
        self.recording = replace(self.recording, promise=replace(self.recording.promise, allow_load=True))
