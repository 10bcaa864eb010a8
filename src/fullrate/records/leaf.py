"""The shapes of the leaves: one small file each, found by a package walk.

A leaf module binds exactly one of SOURCE, CHECK, KNOB, GENERATOR or RECIPE; its docstring is its documentation.
"""

import fnmatch
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from fullrate.records.evidence import ListGlob, QueryCommand, ReadFile, Reply, Request
from fullrate.records.facts.base import Fact
from fullrate.records.facts.net import ProgramVersion
from fullrate.records.finding import Finding, Remedy
from fullrate.records.recording import ProgramOutput
from fullrate.records.setting import Disruption, Owner, Reading, Setting, Writing
from fullrate.records.trial import EngineResult, TrialSpec
from fullrate.records.units import Seconds
from fullrate.records.view import View

# Some 60 paths of 60 bytes a link at most: far below what one command line may hold (execve(2): 32 pages a word, a
# quarter of the stack in all), and a link whose files take long to read holds up few others.
LINKS_A_REQUEST = 32


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """What requests may be about, as far as it is known yet; a source asks for nothing it has no subject for."""

    links: tuple[str, ...] = ()  # links under test and those below them
    without_device: frozenset[str] = frozenset()  # of those, the ones that no driver of hardware knows more about
    without_classes: frozenset[str] = frozenset()  # of those, the ones whose qdisc has none
    pids: tuple[int, ...] = ()  # running traffic programs
    cgroups: tuple[tuple[int, str], ...] = ()  # (version, path) of their cgroups and every ancestor
    ports: tuple[int, ...] = ()  # of the running test
    tables: tuple[tuple[str, str], ...] = ()  # (save program, table) of legacy iptables that are there

    @property
    def devices(self) -> tuple[str, ...]:
        """The links that a driver may know more about."""
        return tuple(link for link in self.links if link not in self.without_device)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Source:
    """One evidence format: what to ask, which replies and pasted texts are its own, bytes to facts.

    `parse` raises FormatError on bytes that do not have the form.
    `sampled`: 10 or 1 (readings a second during a trial), or None when it is read before and after only.
    """

    id: str
    facts: tuple[type[Fact], ...]
    requests: Callable[[Scope], tuple[Request, ...]]
    answers: Callable[[Request], bool]
    recognizes: Callable[[str], bool]
    parse: Callable[[Request, bytes], tuple[Fact, ...]]
    sampled: int | None = None
    moving: bool = False  # its facts are counters: read again before and after every trial
    pasted: Callable[[str], Request] | None = None  # what a text about a link would answer, where nothing is asked for


class Per(StrEnum):
    """What a check is asked once for."""

    DIRECTION = "direction"  # View.sender and View.receiver are its ends
    NIC = "nic"  # the same, the link of each end being the physical one that carries the packets
    LINK = "link"  # each physical link under test of each host known: View.here is the end, its interface the link
    END = "end"  # each host known: View.here
    RUN = "run"


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One rule that names one cause.

    `glance` is asked once for each link (once for each end, where `per` is END) of a host that was not watched: of
    settings, of messages, and of counters that were read once and count since boot. View.here is the link.
    """

    id: str
    cause: str
    diagnose: Callable[[View], Finding]
    per: Per = Per.DIRECTION
    alone: bool = False  # of a host without a partner too: for each of its links, by the look at its counters
    glance: Callable[[View], Finding | None] | None = None  # what a host suggests that nobody watched; None: nothing


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """Where a traffic program's two halves meet."""

    server_address: str
    client_address: str
    port: int
    connect_within: Seconds = 3.0  # after which the client gives up
    server_output: bool = False  # the client shall fetch it: nobody reads what the server prints


@dataclass(frozen=True, slots=True, kw_only=True)
class Launch:
    """A program to start: argument tuple and how long it may live at the very most."""

    argv: tuple[str, ...]
    deadline: Seconds


@dataclass(frozen=True, slots=True, kw_only=True)
class Generator:
    """One traffic program: what it printed, and the trial that tells of.

    `recognizes` and `runs` take text as it was pasted; `told` and `read` what one run printed, in one direction.
    """

    id: str
    program: str  # subject of its ProgramVersion
    recognizes: Callable[[str], bool]
    runs: Callable[[str], tuple[str, ...]]  # a text cut into its runs; of both directions at once, one for each
    told: Callable[[str], TrialSpec | None]  # the near end is the client's; None: it tells of no trial
    read: Callable[[TrialSpec, tuple[ProgramOutput, ...]], EngineResult]


@dataclass(frozen=True, slots=True, kw_only=True)
class LaunchedGenerator(Generator):
    """One that we start ourselves. `refuses` gives every reason why it cannot run a trial; empty: it can."""

    probe: Request
    refuses: Callable[[TrialSpec, ProgramVersion | None, ProgramVersion | None], tuple[str, ...]]
    server: Callable[[TrialSpec, Endpoint, ProgramVersion], Launch]
    client: Callable[[TrialSpec, Endpoint, ProgramVersion], Launch]
    alone: bool = False  # the client needs no server, and none is started


Answers = Mapping[str, Reply]  # by their request's key


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Knob:
    """One kind of setting: how it is read, written, limited.

    A knob of id `nic.ring` has the settings `nic.ring.rx` and `nic.ring.tx`: `takes` says which are its own. Each
    function raises CannotSetError with the reason where a setting cannot be made.
    """

    id: str
    takes: Callable[[Setting], bool]
    reading: Callable[[Setting], Reading]
    write: Callable[[Setting, Answers], Writing]  # of a value; what is read there now decides how
    asks: Callable[[Setting], tuple[Request, ...]] = lambda _: ()  # what limits it, beside its own reading
    limit: Callable[[Setting, Answers], None] = lambda *_: None  # raises where the value is out of range
    restores: Callable[[Setting, Answers], Writing] | None = None  # of the value found; None: as `write`
    wanted: Callable[[Remedy], tuple[Setting, ...]] | None = None  # what a remedy sets; None: its value as it is
    spread: Callable[[Setting, Answers], tuple[Setting, ...]] = lambda setting, _: (setting,)  # one for several
    survey: Callable[[str], tuple[Request, ...]] = lambda _: ()  # what shows all of its settings of a link
    shown: Callable[[str, Answers], tuple[Setting, ...]] = lambda *_: ()  # those, as they are
    told: Callable[[str], str] = lambda value: value  # a value as a reader has it
    disruption: Disruption = Disruption.NONE
    owners: Callable[[Setting], tuple[Owner, ...]] = lambda _: ()
    order: Callable[[Setting], int] = lambda _: 0  # among steps that disturb alike: the lowest first
    reference: str = ""


def no_requests(_: Scope) -> tuple[Request, ...]:
    """For sources that are asked for by checks only."""
    return ()


def always(*requests: Request) -> Callable[[Scope], tuple[Request, ...]]:
    """Requests that need no subject."""
    return lambda _: requests


def for_each_link(*build: Callable[[str], Request]) -> Callable[[Scope], tuple[Request, ...]]:
    """Requests about each link under test."""
    return lambda scope: tuple(make(link) for link in scope.links for make in build)


def for_each_device(*build: Callable[[str], Request]) -> Callable[[Scope], tuple[Request, ...]]:
    """Requests about each link under test whose driver may answer them."""
    return lambda scope: tuple(make(link) for link in scope.devices for make in build)


def for_many_links(build: Callable[[tuple[str, ...]], Request]) -> Callable[[Scope], tuple[Request, ...]]:
    """Requests about all links under test, several in one: a program's start takes longer than its small files."""
    return lambda scope: tuple(build(part) for part in _parts(scope.links))


def for_many_devices(build: Callable[[tuple[str, ...]], Request]) -> Callable[[Scope], tuple[Request, ...]]:
    """The same about those whose driver may answer."""
    return lambda scope: tuple(build(part) for part in _parts(scope.devices))


def _parts(links: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    return tuple(links[first : first + LINKS_A_REQUEST] for first in range(0, len(links), LINKS_A_REQUEST))


def reads(*patterns: str) -> Callable[[Request], bool]:
    """Whether a request reads a file (or lists a glob) that one of the shell patterns matches."""

    def answers(request: Request) -> bool:
        path = (
            request.path
            if isinstance(request, ReadFile)
            else request.pattern
            if isinstance(request, ListGlob)
            else None
        )
        return path is not None and any(fnmatch.fnmatchcase(path, pattern) for pattern in patterns)

    return answers


def runs(*head: str) -> Callable[[Request], bool]:
    """Whether a request runs a command whose first words are `head`."""
    return lambda request: isinstance(request, QueryCommand) and request.argv[: len(head)] == head
