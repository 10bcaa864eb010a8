"""Two open hosts and what they have answered so far: the live half of a run.

Everything received goes into the recording; what it means is not decided here.
"""

import functools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from fullrate import collect
from fullrate.host.clock import SystemClock, attempts, raise_lost, together
from fullrate.host.protocol import Clock, Host
from fullrate.measure import trial as trials
from fullrate.pairing import Wish, choose, far_addresses, far_side
from fullrate.records.ends import End
from fullrate.records.errors import TargetError
from fullrate.records.evidence import Reply, Request, query
from fullrate.records.facts.link import Link
from fullrate.records.facts.net import ProgramVersion
from fullrate.records.finding import Ask
from fullrate.records.leaf import Generator, Scope, Source
from fullrate.records.probes import ssh_connection
from fullrate.records.progress import Progress
from fullrate.records.recording import EndRecord, Moment, Promise, Recording, TrialRecord
from fullrate.records.snapshot import Snapshot
from fullrate.records.target import Target, TargetKind
from fullrate.records.trial import EngineFailure, TrialSpec
from fullrate.records.units import BitsPerSecond, Seconds

_NEXT_PORT = {EngineFailure.BUSY, EngineFailure.PORT_IN_USE, EngineFailure.UNREACHABLE, EngineFailure.REFUSED}
_FIRST_CONNECT: Seconds = 3.0  # a SYN lost once is sent again after 1 s (RFC 6298)
_LATER_CONNECT: Seconds = 1.0  # silence on one port makes silence on the next likely

Open = Callable[[Target], Host]


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """What the user asked for."""

    targets: Mapping[End, Target]
    promise: Promise
    wish: Wish


@dataclass(slots=True, kw_only=True)
class Session:
    """The hosts of one job while it runs."""

    job: Job
    recording: Recording
    sources: Sequence[Source]
    generator: Generator
    progress: Progress
    hosts: dict[End, Host] = field(default_factory=dict)
    asked: list[Ask] = field(default_factory=list)
    place: tuple[bool, int] | None = None  # the roles (near serves) and the port that worked
    clock: Clock = field(default_factory=SystemClock)
    closed: bool = False

    def open(self, opener: Open) -> None:
        """Reach both hosts at once; one that cannot be reached is recorded with the reason."""
        ends = list(self.job.targets)
        self.progress.phase("reaching " + " and ".join(self.job.targets[end].text for end in ends), 2)
        failures = together([functools.partial(self._reach, opener, end) for end in ends])
        for end, failure in zip(ends, failures, strict=True):
            if failure:
                self._update(end, unreachable=failure)

    def _reach(self, opener: Open, end: End) -> str:
        """Why an end cannot be reached; else its host is kept at once, so that Ctrl-C closes it."""
        try:
            host = opener(self.job.targets[end])
        except TargetError as error:
            return str(error)
        self.hosts[end] = host
        if self.closed:
            host.close()
        return ""

    def close(self) -> None:
        """End everything of ours on both hosts."""
        self.closed = True
        together([host.close for host in self.hosts.values()])
        self.hosts.clear()

    def collect(self) -> None:
        """Read what needs no subject, find the path, read what is about its links."""
        if not self.hosts:
            return
        self.progress.phase("reading " + " and ".join(self.hosts[end].label for end in self._open_ends()), 1)
        self._ask_all(self._first_requests)
        if set(self.hosts) == set(End):
            self._pair()
        self._ask_all(self._link_requests)

    def can_test(self) -> bool:
        """Whether both ends are there and a path between them is known."""
        return set(self.hosts) == set(End) and all(self.recording.ends[end].address for end in End)

    def snapshot(self, end: End) -> Snapshot:
        """The facts of one end so far."""
        return collect.read(self.replies(end), self.sources)

    def replies(self, end: End) -> tuple[Reply, ...]:
        """All replies of one end outside trials."""
        return tuple(reply for moment in self.recording.ends[end].moments for reply in moment.replies)

    def answer(self, ask: Ask, bar: BitsPerSecond | None) -> None:
        """Make a request or a trial that a check asked for, and keep what comes back."""
        self.asked.append(ask)
        if ask.trial is not None:
            self._run_trial(ask.trial, bar)
        elif ask.request is not None and ask.end is not None:
            self.progress.phase(ask.text, 1)
            self._keep(ask.end, "ask", self.hosts[ask.end].ask([ask.request]))

    def _open_ends(self) -> list[End]:
        return [end for end in End if end in self.hosts]

    def _ask_all(self, requests_of: Callable[[End], tuple[Request, ...]]) -> None:
        """Ask all ends at once. When one is lost, the other's replies are kept all the same."""
        ends = self._open_ends()
        answers = attempts([functools.partial(self.hosts[end].ask, requests_of(end)) for end in ends])
        for end, replies in zip(ends, answers, strict=True):
            if not isinstance(replies, TargetError):
                self._keep(end, "collect", replies)
        raise_lost(answers)

    def _first_requests(self, end: End) -> tuple[Request, ...]:
        extra = (ssh_connection(),) if self.job.targets[end].kind is TargetKind.SSH else ()
        return collect.wanted(self.sources, Scope()) + extra

    def _link_requests(self, end: End) -> tuple[Request, ...]:
        record, other = self.recording.ends[end], self.recording.ends.get(end.other)
        links = (record.interface,) if record.interface else self._all_links(end)
        scope = Scope(links=links, peer=other.address if other else None)
        known = {reply.request for reply in self.replies(end)}
        return tuple(request for request in collect.wanted(self.sources, scope) if request not in known)

    def _all_links(self, end: End) -> tuple[str, ...]:
        """Every link but the loopback, where no path singles one out."""
        return tuple(link.subject for link in self.snapshot(end).all(Link) if link.subject != "lo")

    def _pair(self) -> None:
        """Settle on two addresses and two links, and record them."""
        near, far = self.snapshot(End.NEAR), self.snapshot(End.FAR)
        candidates = far_addresses(near, far, self.job.wish)
        self._keep(End.NEAR, "collect", self.hosts[End.NEAR].ask(self._routes(candidates)))
        side, address = choose(self.snapshot(End.NEAR), candidates, self.job.wish)
        self._keep(End.FAR, "collect", self.hosts[End.FAR].ask(self._routes([side.address])))
        opposite = far_side(self.snapshot(End.FAR), address, side.address)
        self._update(End.NEAR, address=side.address, interface=side.link)
        self._update(End.FAR, address=opposite.address, interface=opposite.link)

    def _routes(self, addresses: Sequence[str]) -> tuple[Request, ...]:
        source = () if self.job.wish.bind is None else ("from", self.job.wish.bind)
        return tuple(query("ip", "-json", "route", "get", address, *source) for address in addresses)

    def _run_trial(self, spec: TrialSpec, bar: BitsPerSecond | None) -> None:
        bench = self._bench(bar)
        try:
            if spec.sends:
                self._try_places(bench, spec)
            else:
                self.progress.phase("watching the link at rest", trials.IDLE_SECONDS)
                self._add(trials.watch_idle(bench, spec, self._trial_id()))
        except (trials.TrialLost, trials.TrialStopped) as cut:
            self._add(cut.record)
            raise

    def _try_places(self, bench: trials.Bench, spec: TrialSpec) -> None:
        """Run the trial at the first place where it can."""
        for roles, port, wait in self._places(spec):
            way = f"{spec.label}, port {port}{' (roles swapped)' if roles.near_serves else ''}"
            self.progress.phase(f"measuring {way}", 5)
            record = trials.run(bench, roles, self._trial_id(), port, connect_within=wait)
            failure = self.generator.read(record.spec, record.outputs).failure if record.outputs else None
            again = failure in _NEXT_PORT and not record.failure
            self._add(_without_samples(record) if again else record)
            if not again:
                if failure is None and not record.failure:
                    self.place = roles.near_serves, port
                return

    def _places(self, spec: TrialSpec) -> list[tuple[TrialSpec, int, Seconds]]:
        """Which roles and ports to try, those that worked first; else every port, then all with the roles swapped."""
        ports = self.job.promise.ports
        every = [(near_serves, port) for near_serves in (False, True) for port in ports]
        places = dict.fromkeys([*([] if self.place is None else [self.place]), *every])
        return [(replace(spec, near_serves=place[0]), place[1], self._wait(place)) for place in places]

    def _wait(self, place: tuple[bool, int]) -> Seconds:
        """How long a connection may take there."""
        return _FIRST_CONNECT if place == self.place or place[1] == self.job.promise.ports[0] else _LATER_CONNECT

    def _bench(self, bar: BitsPerSecond | None) -> trials.Bench:
        parties, versions = {}, {}
        for end in End:
            record = self.recording.ends[end]
            parties[end] = trials.Party(
                end=end, host=self.hosts[end], link=record.interface or "", address=record.address or ""
            )
            version = self.snapshot(end).find(ProgramVersion, self.generator.program)
            if version is not None:
                versions[end] = version
        return trials.Bench(
            parties=parties,
            sources=self.sources,
            generator=self.generator,
            versions=versions,
            clock=self.clock,
            progress=self.progress,
            bar=bar,
        )

    def _trial_id(self) -> str:
        return f"t{len(self.recording.trials) + 1}"

    def _add(self, record: TrialRecord) -> None:
        self.recording = replace(self.recording, trials=(*self.recording.trials, record))

    def _keep(self, end: End, name: str, replies: tuple[Reply, ...]) -> None:
        moments = self.recording.ends[end].moments
        self._update(end, moments=(*moments, Moment(name=name, end=end, replies=replies)))

    def _update(self, end: End, **changes: object) -> None:
        record: EndRecord = replace(self.recording.ends[end], **changes)  # type: ignore[arg-type]
        self.recording = replace(self.recording, ends={**self.recording.ends, end: record})

    def allow_load(self) -> None:
        """The user agreed to send although the link is in use."""
        self.recording = replace(self.recording, promise=replace(self.recording.promise, allow_load=True))

    def note(self, text: str) -> None:
        """Keep a sentence on how the run went."""
        self.recording = replace(self.recording, notes=(*self.recording.notes, text))


def _without_samples(record: TrialRecord) -> TrialRecord:
    """An attempt that came to nothing keeps what its programs said, and no counters."""
    return replace(record, moments=(), frames=())
