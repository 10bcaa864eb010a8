"""Facts of one host: which requests to make, in which order, and what the replies say.

Asking and reading are apart, so that recorded replies read the same way as live ones.
"""

import functools
from collections.abc import Iterable, Sequence
from dataclasses import replace

from fullrate.host.protocol import Host
from fullrate.records.errors import FormatError
from fullrate.records.evidence import Gap, QueryCommand, Reply, Request, Status
from fullrate.records.facts.base import Fact
from fullrate.records.facts.cpu import ProcessCgroup
from fullrate.records.facts.net import FilterTables, ProgramVersion
from fullrate.records.leaf import Scope, Source
from fullrate.records.snapshot import Observation, Snapshot
from fullrate.registry import LeafFailure, call_leaf

_REASONS = {
    Status.ABSENT: "not there",
    Status.DENIED: "needs root",
    Status.UNSUPPORTED: "not supported by this kernel, driver or tool",
    Status.TIMED_OUT: "no answer in time",
    Status.NOT_RECORDED: "not in the recording",
    Status.FAILED: "failed",
}
_NO_COUNTERS = "no stats available"  # of ethtool -S (ethtool.c)
_LONGEST_REASON = 300  # characters: it may quote what a tool said, and a tool may say anything


def read(replies: Iterable[Reply], sources: Sequence[Source]) -> Snapshot:
    """The facts and gaps of replies; a reply that no source answers for is left out."""
    every = tuple(sources)
    parts = [read_one(reply, source) for reply in replies for source in _answering(every, reply.request)]
    return Snapshot(
        observations=tuple(seen for part in parts for seen in part.observations),
        gaps=tuple(gap for part in parts for gap in part.gaps),
    )


@functools.lru_cache(maxsize=8192)  # the same requests are read again after every answer
def _answering(sources: tuple[Source, ...], request: Request) -> tuple[Source, ...]:
    return tuple(source for source in sources if source.answers(request))


@functools.lru_cache(maxsize=8192)  # a live run is diagnosed after every answer; the earlier ones stay as they are
def read_one(reply: Reply, source: Source) -> Snapshot:
    """What one source makes of one reply; a failed command that still printed is read as far as it goes.

    An answer that was cut is not read at all: what its last lines would have said must not pass for absent.
    """
    reply = _nothing_there(reply)
    facts: tuple[Fact, ...] = ()
    gap: Gap | None = None
    if reply.status is Status.OK or (reply.status is Status.FAILED and reply.payload and not reply.cut):
        parsed = _parsed(reply, source)
        if isinstance(parsed, LeafFailure):
            gap = _gap(source, reply, "; ".join(filter(None, (_failure(reply), f"unreadable: {parsed.reason}"))))
        else:
            facts = parsed
    if not facts and gap is None and reply.status is not Status.OK:
        gap = _gap(source, reply, _failure(reply))
    observations = tuple(Observation(fact=fact, taken_at=reply.finished, source=reply.request.key) for fact in facts)
    return Snapshot(observations=observations, gaps=() if gap is None else (gap,))


def _parsed(reply: Reply, source: Source) -> tuple[Fact, ...] | LeafFailure:
    try:
        return call_leaf(lambda: source.parse(reply.request, reply.payload), FormatError)
    except FormatError as error:
        return LeafFailure(reason=str(error))


def wanted(sources: Sequence[Source], scope: Scope) -> tuple[Request, ...]:
    """Every request the sources have for this scope, each once."""
    return tuple(dict.fromkeys(request for source in sources for request in source.requests(scope)))


def ask_new(host: Host, sources: Sequence[Source], scope: Scope, known: Iterable[Reply] = ()) -> tuple[Reply, ...]:
    """Ask what the scope allows and `known` does not hold yet."""
    asked = {reply.request for reply in known}
    return host.ask([request for request in wanted(sources, scope) if request not in asked])


def counters(sources: Sequence[Source]) -> tuple[Source, ...]:
    """The sources whose facts move with traffic and that the sampler does not read."""
    return tuple(source for source in sources if source.moving and source.sampled is None)


def ask_processes(host: Host, sources: Sequence[Source], scope: Scope) -> tuple[Reply, ...]:
    """Placement, sockets and CPU limits of the running traffic programs: their cgroups are learned, then read."""
    live = [source for source in sources if source.requests(scope) and not source.requests(Scope(links=scope.links))]
    first = ask_new(host, live, scope)
    cgroups = cgroup_chain(read(first, sources).all(ProcessCgroup))
    deeper = Scope(cgroups=cgroups)
    limits = [source for source in sources if source.requests(deeper) and not source.requests(Scope())]
    return first + ask_new(host, limits, deeper)


def legacy_tables(snapshot: Snapshot) -> tuple[tuple[str, str], ...]:
    """(Save program, table) of each legacy iptables table in use.

    `iptables-save` itself is that program where `iptables` is the legacy build: it says so, or names no build at all.
    """
    build = snapshot.find(ProgramVersion, "iptables")
    infix = "" if build is not None and "nf_tables" not in build.features else "-legacy"
    found = {used.subject: used.tables for used in snapshot.all(FilterTables)}
    return tuple((f"{program}{infix}-save", table) for program, tables in found.items() for table in tables)


def cgroup_chain(found: Iterable[ProcessCgroup]) -> tuple[tuple[int, str], ...]:
    """Each cgroup and all above it, for a limit on any of them holds."""
    chain: dict[tuple[int, str], None] = {}
    for cgroup in found:
        parts = cgroup.path.strip("/").split("/")
        for depth in range(len(parts), 0, -1):
            chain[cgroup.version, "/" + "/".join(parts[:depth])] = None
    return tuple(chain)


def _nothing_there(reply: Reply) -> Reply:
    """The same reply; a command that found nothing to read did not fail.

    So a `grep` over files of which none is there, and `ethtool -S` of a driver without counters.
    """
    request = reply.request
    if not isinstance(request, QueryCommand) or reply.payload or reply.status is not Status.FAILED:
        return reply
    if request.argv[0] == "grep":
        return replace(reply, status=Status.ABSENT)
    return replace(reply, status=Status.UNSUPPORTED) if _NO_COUNTERS in reply.error else reply


def _gap(source: Source, reply: Reply, reason: str) -> Gap:
    short = reason if len(reason) <= _LONGEST_REASON else f"{reason[:_LONGEST_REASON]} ..."
    return Gap(wanted=source.id, tried=reply.request.key, status=reply.status, reason=short)


def _failure(reply: Reply) -> str:
    if reply.status is Status.OK:
        return ""
    words = reply.error.strip().splitlines()
    return f"{_REASONS.get(reply.status, 'failed')}{f': {words[0]}' if words else ''}"
