"""Runs one trial between two hosts: counters before, sampler, server, client, counters after.

Everything received goes into a TrialRecord; what it means is read from there (`reading`). The trial ends as soon as
the receiver's series decides, so nothing here waits for a fixed time.
"""

import functools
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import replace

from fullrate import collect
from fullrate.host.clock import attempts, raise_lost
from fullrate.host.protocol import SamplePlan
from fullrate.measure import programs, reading
from fullrate.measure.attempt import Attempt, Bench, Party
from fullrate.measure.live import Place, gauge_for
from fullrate.measure.meter import meter_for
from fullrate.measure.vanished import why_gone, why_silent
from fullrate.records.ends import End
from fullrate.records.errors import TargetError
from fullrate.records.evidence import Reply, Request
from fullrate.records.facts.base import Fact
from fullrate.records.facts.cpu import CpuTimes
from fullrate.records.facts.link import LinkCounters
from fullrate.records.facts.net import TcpSocket
from fullrate.records.leaf import Scope, Source
from fullrate.records.recording import STOPPED, Moment, TrialRecord
from fullrate.records.trial import TrialKind, TrialSpec
from fullrate.records.units import Seconds

IDLE_SECONDS = 1.0
_STEP = 0.1
_EARLY = 1.2  # the programs run and their connections exist
_LOOK_EVERY = 0.5
_ROLES = ("client", "server")
_LONG = 30  # seconds: 30 kB a second of each end's frames are a megabyte by then
_NEEDED: set[type[Fact]] = {LinkCounters, TcpSocket, CpuTimes}
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


def watch_idle(bench: Bench, spec: TrialSpec, trial_id: str) -> TrialRecord:
    """What both links carry before we send anything. Raises TrialLost, TrialStopped."""
    return _kept(Attempt(bench=bench, spec=spec, id=trial_id), _watch)


def look(bench: Bench, spec: TrialSpec, trial_id: str, seconds: Seconds) -> TrialRecord:
    """What all counters of the links do in some seconds, nothing being sent. Raises TrialLost, TrialStopped."""

    def work(attempt: Attempt) -> None:
        _ask_counters(attempt, "before")
        _watch(attempt, seconds)
        _ask_counters(attempt, "after")

    return _kept(Attempt(bench=bench, spec=spec, id=trial_id), work)


def run(bench: Bench, spec: TrialSpec, trial_id: str, ports: Sequence[int], *, connect_within: Seconds) -> TrialRecord:
    """One attempt, each pair of programs on its port. What goes wrong with the programs is in the record.

    Raises TrialLost, TrialStopped.
    """
    attempt = Attempt(bench=bench, spec=spec, id=trial_id, ports=ports, connect_within=connect_within)
    attempt.failure = attempt.uncounted or _choose(attempt)
    return attempt.record() if attempt.failure else _kept(attempt, _send)


def _choose(attempt: Attempt) -> str:
    """Take a traffic program for each part; why there is none for one, else empty."""
    for part in attempt.parts:
        found = attempt.bench.takes(part.spec)
        if found is None:
            return attempt.bench.why_none(part.spec)
        attempt.generators[part.number] = found
    return ""


def _kept(attempt: Attempt, work: Callable[[Attempt], None]) -> TrialRecord:
    """The record after the work. Raises TrialLost or TrialStopped, with what there is of it."""
    try:
        work(attempt)
    except TargetError as error:
        attempt.failure = str(error)
        raise TrialLost(attempt.record()) from error
    except KeyboardInterrupt as stop:
        attempt.failure = STOPPED
        raise TrialStopped(attempt.record()) from stop
    return attempt.record()


def _watch(attempt: Attempt, seconds: Seconds = IDLE_SECONDS) -> None:
    with ExitStack() as stack:
        _start_sampling(attempt, stack)
        attempt.bench.clock.sleep(seconds + _STEP)


def _send(attempt: Attempt) -> None:
    _ask_counters(attempt, "before")
    with ExitStack() as stack:
        _start_sampling(attempt, stack)
        if programs.start(attempt, stack):
            _follow(attempt)
    _ask_counters(attempt, "after")


def _ask_counters(attempt: Attempt, name: str) -> None:
    sources = collect.counters(attempt.bench.sources)
    _moment(attempt, name, lambda party: collect.ask_new(party.host, sources, _counted(party)))


def _counted(party: Party) -> Scope:
    return replace(party.known, links=party.links)


def _moment(attempt: Attempt, name: str, ask: Callable[[Party], tuple[Reply, ...]]) -> None:
    """Ask both ends at once. When one is lost, the other's replies are kept all the same."""
    parties = list(attempt.parties.values())
    answers = attempts([functools.partial(ask, party) for party in parties])
    attempt.moments += [
        Moment(name=name, end=party.end, replies=replies)
        for party, replies in zip(parties, answers, strict=True)
        if not isinstance(replies, TargetError)
    ]
    raise_lost(answers)


def _start_sampling(attempt: Attempt, stack: ExitStack) -> None:
    sending = {attempt.watched(flows.direction) for flows in attempt.flows() if not _is_seen(attempt, flows)}
    for end, party in attempt.parties.items():
        plan = _plan(_watching(attempt), replace(_counted(party), ports=_ports(attempt)))
        attempt.plans[end] = plan
        attempt.frames[end] = bytearray()
        attempt.meters[end] = meter_for(
            plan.table,
            attempt.bench.sources,
            link=party.link,
            address=party.address,
            protocol=attempt.spec.protocol,
            sends=end in sending,
        )
        place = Place(trial=attempt.id, end=end, host=party.name or party.host.label, direction=attempt.spec.direction)
        attempt.gauges[end] = gauge_for(plan.table, attempt.bench.sources, attempt.meters[end], place)
        attempt.samplings[end] = party.host.sample(plan)
        stack.callback(_end_sampling, attempt, end)


def _is_seen(attempt: Attempt, flows: TrialSpec) -> bool:
    """Whether the receiver of some flows is looked at."""
    return attempt.spec.within is not None or attempt.watched(flows.direction) is flows.direction.receiver


def _ports(attempt: Attempt) -> tuple[int, ...]:
    return tuple(attempt.port(part) for part in attempt.parts)


def _watching(attempt: Attempt) -> Sequence[Source]:
    """The sources to sample: of a test that lasts long only what tells rate and CPUs, or memory fills."""
    long = attempt.spec.whole and attempt.spec.max_seconds >= _LONG
    return [one for one in attempt.bench.sources if not long or _NEEDED & set(one.facts)]


def _plan(sources: Sequence[Source], scope: Scope) -> SamplePlan:
    def of(rate: int) -> tuple[Request, ...]:
        return collect.wanted([source for source in sources if source.sampled == rate], scope)

    return SamplePlan(fast=of(10), slow=of(1))


def _end_sampling(attempt: Attempt, end: End) -> None:
    attempt.frames[end] += attempt.samplings[end].stop()


def _follow(attempt: Attempt) -> None:
    """Watch until the series decides, the program ends, or its time is up. Raises TargetError when a link is gone."""
    clock, client = attempt.bench.clock, attempt.programs[0, "client"]
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
            _show(attempt)
            if _ended(attempt) or _decided(attempt, elapsed):
                break
    if client.poll().exit_code is None:
        _ask_processes(attempt, "late")


def _take(attempt: Attempt) -> None:
    for end, sampling in attempt.samplings.items():
        data = sampling.take()
        attempt.frames[end] += data
        attempt.meters[end].add(data)


def _show(attempt: Attempt) -> None:
    """Tell what both ends did since the last look."""
    for sampled in filter(None, [gauge.look() for gauge in attempt.gauges.values()]):
        attempt.bench.progress.tell(sampled)


def _see_links(attempt: Attempt) -> None:
    """Raise TargetError when the link of an end has vanished or is down: no further test can run then either."""
    for end, meter in attempt.meters.items():
        if meter.link_missing > _LINK_GONE:
            party = attempt.parties[end]
            raise TargetError(why_gone(party.host, attempt.bench.sources, link=party.link, ifindex=party.ifindex))
    if all(attempt.meters[attempt.watched(flows.direction)].silent <= _LINK_GONE for flows in attempt.flows()):
        return
    for party in attempt.parties.values():
        if why := why_silent(party.host, attempt.bench.sources, link=party.link):
            raise TargetError(why)


def _ask_processes(attempt: Attempt, name: str) -> bool:
    pids: dict[End, tuple[int, ...]] = {}
    for part in attempt.parts:
        for role in _ROLES:
            end = attempt.spec.within or attempt.end_of(part, role)
            process = attempt.programs.get((part.number, role))
            pids[end] = (*pids.get(end, ()), *([] if process is None else [process.pid]))
    sources, ports = attempt.bench.sources, _ports(attempt)
    _moment(
        attempt,
        name,
        lambda party: collect.ask_processes(party.host, sources, Scope(pids=pids.get(party.end, ()), ports=ports)),
    )
    return True


def _ended(attempt: Attempt) -> bool:
    """Whether a client of several has ended, which ends all: what the others carry alone is another test."""
    clients = [process for (_, role), process in attempt.programs.items() if role == "client"]
    return len(clients) > 1 and any(process.poll().exit_code is not None for process in clients)


def _decided(attempt: Attempt, elapsed: Seconds) -> bool:
    """Whether every direction's rate is known; requests take the time they were given."""
    flows = tuple(attempt.flows())
    if not flows or attempt.spec.whole or attempt.spec.kind is not TrialKind.BULK:
        return False
    return all(_is_known(attempt, one, elapsed) for one in flows)


def _is_known(attempt: Attempt, flows: TrialSpec, elapsed: Seconds) -> bool:
    series = attempt.meters[attempt.watched(flows.direction)].flow().series
    sender = attempt.meters.get(flows.direction.sender)
    floor = reading.floor_for(sender.algorithms if sender else ())
    bar = attempt.bench.bar if attempt.spec.usual else None
    return reading.decided(series, bar, elapsed=elapsed, floor=floor)
