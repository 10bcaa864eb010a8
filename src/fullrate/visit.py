"""The hosts of one job: reached, read, joined by the path between them. All that comes back goes into the recording."""

import functools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from fullrate import collect
from fullrate.host.clock import attempts, raise_lost, together
from fullrate.host.protocol import Host
from fullrate.pairing import (
    ECHO_SIZE,
    Wish,
    choose,
    direct,
    far_addresses,
    far_side,
    is_address,
    other_links,
    own_name,
    refuse_one_host,
    relay,
    server_addresses,
)
from fullrate.records.ends import End
from fullrate.records.errors import TargetError, UsageError
from fullrate.records.evidence import Reply, Request, query
from fullrate.records.facts.ethtool import DriverInfo, LinkMode
from fullrate.records.facts.link import Address, Link, around, links_to_look_at, without_classes, without_device
from fullrate.records.leaf import Scope, Source
from fullrate.records.probes import echo_request, iptables_build, resolve_request, ssh_connection
from fullrate.records.progress import Progress
from fullrate.records.recording import EndRecord, Moment, Promise, Recording, TrialRecord
from fullrate.records.snapshot import Snapshot
from fullrate.records.target import Target, TargetKind

_FEW_LINKS = 4  # of them everything is asked: some 25 programs a link, at 2 ms each

Open = Callable[[Target], Host]


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """What the user asked for."""

    targets: Mapping[End, Target]
    promise: Promise
    wish: Wish


@dataclass(frozen=True, slots=True, kw_only=True)
class _Read:
    """What the replies of some moments say."""

    moments: tuple[Moment, ...]
    snapshot: Snapshot


@dataclass(slots=True, kw_only=True)
class Visit:
    """The open hosts of one job, and what they have answered so far."""

    job: Job
    recording: Recording
    sources: Sequence[Source]
    progress: Progress
    hosts: dict[End, Host] = field(default_factory=dict)
    closed: bool = False
    _read: dict[End, _Read] = field(default_factory=dict, init=False, repr=False)

    def open(self, opener: Open) -> None:
        """Reach both hosts at once; one that cannot be reached is recorded with the reason."""
        ends = [end for end in self.job.targets if end is not self._server_end]
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
        self._ask_build()
        if set(self.hosts) == set(End):
            self._pair()
        elif self._server_end is not None:
            self._pair_with_server(self.job.targets[self._server_end])
        elif End.NEAR in self.hosts and self._starts_ssh:
            self._doubt_the_name(self.job.targets[End.FAR].name)
        elif len(self.job.targets) == 1 and self.job.wish.interface is not None:
            self._single_out(self.job.wish.interface)
        self._ask_all(self._link_requests)

    @property
    def _server_end(self) -> End | None:
        """The end that is no host of ours: only a server answers there."""
        return next((end for end, one in self.job.targets.items() if one.kind is TargetKind.SERVER), None)

    def snapshot(self, end: End) -> Snapshot:
        """The facts of one end so far; read when something new came, though it is asked for at every step."""
        moments = self.recording.ends[end].moments
        if end not in self._read or self._read[end].moments is not moments:
            self._read[end] = _Read(moments=moments, snapshot=collect.read(self.replies(end), self.sources))
        return self._read[end].snapshot

    def replies(self, end: End) -> tuple[Reply, ...]:
        """All replies of one end outside trials."""
        return tuple(reply for moment in self.recording.ends[end].moments for reply in moment.replies)

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
        record, known = self.recording.ends[end], {reply.request for reply in self.replies(end)}
        wanted = collect.wanted(self.sources, replace(self._known(end), links=self._links(end)))
        if record.interface and record.address:
            speeds = [source for source in self.sources if {LinkMode, DriverInfo} & {*source.facts}]
            wanted += collect.wanted(speeds, Scope(links=other_links(self.snapshot(end), record.interface)))
        return tuple(request for request in dict.fromkeys(wanted) if request not in known)

    @property
    def _starts_ssh(self) -> bool:
        """Whether SSH starts at the near end: what it does with the far end's name is then seen there."""
        kinds = [self.job.targets[end].kind for end in End if end in self.job.targets]
        return kinds == [TargetKind.LOCAL, TargetKind.SSH]

    def _doubt_the_name(self, name: str) -> None:
        """Say so when the name of a far end that cannot be reached means this very host."""
        if not is_address(name):
            self._keep(End.NEAR, "collect", self.hosts[End.NEAR].ask([resolve_request(name)]))
        own = own_name(self.snapshot(End.NEAR), name)
        if own is not None:
            why = self.recording.ends[End.FAR].unreachable
            hint = f"{why}; and {name} means this host itself here ({own}): name the other host's address"
            self._update(End.FAR, unreachable=hint)

    def _single_out(self, link: str) -> None:
        """Look at one link only. Raises UsageError when there is no such link."""
        known = [one.subject for one in self.snapshot(End.NEAR).all(Link)]
        if link not in known:
            raise UsageError(f"there is no link {link}; there are {', '.join(known) or 'none'}")
        self._update(End.NEAR, interface=link)

    def _links(self, end: End) -> tuple[str, ...]:
        """The links to read: the one under test and those around it; all worth a look where no path singles one out."""
        name, links = self.recording.ends[end].interface, self.snapshot(end).all(Link)
        return around(links, name) if name else links_to_look_at(links)

    def _ask_build(self) -> None:
        """Where legacy tables are in use, learn which program prints them."""
        for end in self._open_ends():
            if collect.legacy_tables(self.snapshot(end)):
                self._keep(end, "collect", self.hosts[end].ask([iptables_build()]))

    def _known(self, end: End) -> Scope:
        """Tables to ask for; of the link under test, and of a few, all is asked, of many what can have an answer."""
        tables, links = collect.legacy_tables(self.snapshot(end)), self.snapshot(end).all(Link)
        if self.recording.ends[end].interface or len(self._links(end)) <= _FEW_LINKS:
            return Scope(tables=tables)
        return Scope(tables=tables, without_device=without_device(links), without_classes=without_classes(links))

    def _pair(self) -> None:
        """Settle on two addresses and two links, and record them."""
        near, far = self.snapshot(End.NEAR), self.snapshot(End.FAR)
        refuse_one_host(near, far, self.job.targets[End.FAR].name)
        candidates = far_addresses(near, far, self.job.wish)
        self._keep(End.NEAR, "collect", self.hosts[End.NEAR].ask(self._routes(candidates)))
        if self._starts_ssh and relay(near, far) is not None:
            candidates = self._direct(candidates)
        side, address = choose(self.snapshot(End.NEAR), candidates, self.job.wish)
        self._keep(
            End.FAR, "collect", self.hosts[End.FAR].ask(_ways_back(self.snapshot(End.FAR), address, side.address))
        )
        opposite = far_side(self.snapshot(End.FAR), address, side.address)
        self._update(End.NEAR, address=side.address, interface=side.link)
        self._update(End.FAR, address=opposite.address, interface=opposite.link)

    def _direct(self, candidates: Sequence[str]) -> tuple[str, ...]:
        """Those of the far end's addresses that answer, though SSH went another way. Raises TargetError."""
        name = self.job.targets[End.FAR].name
        echoes = [echo_request(one, ECHO_SIZE) for one in candidates]
        names = [] if is_address(name) else [resolve_request(name)]
        self._keep(End.NEAR, "collect", self.hosts[End.NEAR].ask([*echoes, *names]))
        return direct(self.snapshot(End.NEAR), self.snapshot(End.FAR), name, candidates, self.job.wish)

    def _pair_with_server(self, server: Target) -> None:
        """Settle on the server's address and the near end's way to it, and record them; of its link nothing is seen."""
        near = self.hosts[End.NEAR]
        if not is_address(server.name):
            self._keep(End.NEAR, "collect", near.ask([resolve_request(server.name)]))
        candidates = server_addresses(self.snapshot(End.NEAR), server.name, self.job.wish)
        self._keep(End.NEAR, "collect", near.ask(self._routes(candidates)))
        side, address = choose(self.snapshot(End.NEAR), candidates, self.job.wish)
        self._update(End.NEAR, address=side.address, interface=side.link)
        self._update(End.FAR, address=address)

    def _routes(self, addresses: Sequence[str]) -> tuple[Request, ...]:
        source = () if self.job.wish.bind is None else ("from", self.job.wish.bind)
        return tuple(query("ip", "-json", "route", "get", address, *source) for address in addresses)

    def _add(self, record: TrialRecord) -> None:
        self.recording = replace(self.recording, trials=(*self.recording.trials, record))

    def _keep(self, end: End, name: str, replies: tuple[Reply, ...]) -> None:
        moments = self.recording.ends[end].moments
        self._update(end, moments=(*moments, Moment(name=name, end=end, replies=replies)))

    def _update(self, end: End, **changes: object) -> None:
        record: EndRecord = replace(self.recording.ends[end], **changes)  # type: ignore[arg-type]
        self.recording = replace(self.recording, ends={**self.recording.ends, end: record})

    def note_if(self, text: str) -> None:
        """Keep a sentence on how the run went, when there is one."""
        if text:
            self.note(text)

    def note(self, text: str) -> None:
        """Keep a sentence on how the run went."""
        self.recording = replace(self.recording, notes=(*self.recording.notes, text))


def _ways_back(far: Snapshot, address: str, near: str) -> tuple[Request, ...]:
    """The requests for the route from the far end's tested address; a rule may look at it (ip-rule(8)).

    The kernel answers that only for an address of its own, so the plain question comes first.
    """
    plain = ("ip", "-json", "route", "get", near)
    own = any(one.address == address for one in far.all(Address))
    return (query(*plain), *((query(*plain, "from", address),) if own else ()))
