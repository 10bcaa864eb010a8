"""The whole document of a run from what was read and measured."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from fullrate.diagnose.budget import budget
from fullrate.diagnose.ceiling import USUAL_MTU, asked_goodputs, goodputs, mtu_assumed, own_speed, path_speed
from fullrate.diagnose.conditions import conditions
from fullrate.diagnose.glances import glanced, unwatched
from fullrate.diagnose.judge import judge
from fullrate.diagnose.nics import on_nics, wires_of
from fullrate.diagnose.one_sided import tempered
from fullrate.diagnose.own_limit import unblamed
from fullrate.diagnose.path import strip
from fullrate.diagnose.verdict import decide
from fullrate.diagnose.ways import alternatives, taken, way
from fullrate.records.ends import ONE_WAY, Direction, End
from fullrate.records.facts.base import Fact
from fullrate.records.facts.ethtool import DriverInfo
from fullrate.records.facts.link import Link, links_to_look_at
from fullrate.records.facts.net import HostIdentity
from fullrate.records.leaf import Check, Per
from fullrate.records.measurement import Measurement
from fullrate.records.numbers import Condition
from fullrate.records.recipe import Recipe
from fullrate.records.recording import Recording
from fullrate.records.run import SCHEMA, EndReport, Run, Way
from fullrate.records.snapshot import Snapshot
from fullrate.records.target import server_name
from fullrate.records.trial import Trial
from fullrate.records.units import BitsPerSecond
from fullrate.records.view import EndView, View

Summarise = Callable[[Sequence[Trial], Mapping[Direction, BitsPerSecond]], tuple[Measurement, ...]]
_NOT_UNDERSTOOD = "nothing of what was given is understood: give whole outputs, each below the command that printed it"
_DIFFERENCE = 0.01  # kernel and traffic program should agree within this


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """What a diagnosis needs: the recording's frame, the facts of both ends, the trials as measured."""

    recording: Recording
    snapshots: Mapping[End, Snapshot]
    trials: tuple[Trial, ...]
    sources_of: Callable[[type[Fact]], tuple[str, ...]]
    summarise: Summarise
    recipes: Mapping[str, Recipe] = field(default_factory=dict)  # by driver


def diagnose(case: Case, checks: Sequence[Check]) -> Run:
    """The run's document: verdict, budget, path and findings."""
    ends = {end: _end_view(case, end) for end in case.recording.ends}
    views = _views(case, ends)
    links = _links(ends)
    first = views[ONE_WAY[0]]
    found = glanced(
        judge(_applicable(checks, ends), views.__getitem__, links, _alone(first, links, ends)),
        checks,
        unwatched(first, ends, case.recording),
    )
    measurements = case.summarise(case.trials, views[ONE_WAY[0]].ceilings)
    counted = tuple(one for one in measurements if one.counts)
    judged = unblamed(found, counted)
    decided = decide(
        counted,
        judged,
        trouble="" if _told(case.trials) else _trouble(case.recording),
        tried=bool(case.trials) and len(ends) == len(End),
        stated=case.recording.promise.link_speed is not None,
    )
    far = case.recording.ends.get(End.FAR)
    verdict = decided if far is None else tempered(decided, far.target)
    return Run(
        schema=SCHEMA,
        id=case.recording.id,
        started_at=case.recording.started_at,
        tool_version=case.recording.tool_version,
        ends={end: _report(case, view) for end, view in ends.items()},
        measurements=measurements,
        verdict=verdict,
        budget=budget(counted, judged),
        path=tuple(stage for direction in ONE_WAY for stage in strip(on_nics(views[direction]), verdict)),
        findings=judged.findings,
        given=case.recording.given,
        ways=_ways(views) if case.recording.trials else (),
        notes=case.recording.notes
        + _notes(measurements)
        + _assumptions(measurements, ends)
        + (alternatives(ends) if len(ends) == len(End) else ()),
    )


def _applicable(checks: Sequence[Check], ends: Mapping[End, EndView]) -> list[Check]:
    """Of a single host, what can be asked without a path: of directions and tests only what a look shows as well."""
    alone = len(ends) < len(End)
    return [check for check in checks if not alone or check.alone or check.per in {Per.LINK, Per.END}]


def _alone(view: View, links: Sequence[EndView], ends: Mapping[End, EndView]) -> list[View]:
    """Of a single host, a view for each of its links that is not known to be down."""
    return [_alone_with(view, link) for link in links if _carries(link)] if len(ends) < len(End) else []


def _carries(link: EndView) -> bool:
    fact = link.want(Link, link.interface) if link.interface else None
    return bool(link.interface) and (fact is None or fact.operstate != "DOWN")


def _alone_with(view: View, link: EndView) -> View:
    ends, speed = dict.fromkeys(End, link), own_speed(link)
    return replace(view, ends=ends, examined=link, alone=True, speed=speed, ceilings=goodputs(ends, speed))


def _links(ends: Mapping[End, EndView]) -> list[EndView]:
    """Each end with each wire of the link under test; where no path singles one out, of its links to look at."""
    found: list[EndView] = []
    for end in ends.values():
        names = wires_of(end, end.interface) if end.interface else links_to_look_at(end.all(Link))
        found += [replace(end, interface=name) for name in names] or [end]
    return found


def ceilings(case: Case) -> Mapping[Direction, BitsPerSecond]:
    """The payload ceiling of each direction, as far as the facts tell."""
    ends = {end: _end_view(case, end) for end in case.recording.ends}
    return _views(case, ends)[ONE_WAY[0]].ceilings


def conditions_of(case: Case) -> tuple[Condition, ...]:
    """The settings of both ends that move what was measured."""
    return conditions({end: _end_view(case, end) for end in case.recording.ends}, case.trials)


def speeds(case: Case) -> Mapping[Direction, BitsPerSecond | None]:
    """The speed of the link in each direction, as far as the facts tell."""
    ends = {end: _end_view(case, end) for end in case.recording.ends}
    return {direction: view.speed for direction, view in _views(case, ends).items()}


def _end_view(case: Case, end: End) -> EndView:
    record = case.recording.ends[end]
    return EndView(
        end=end,
        snapshot=case.snapshots[end],
        interface=record.interface if server_name(record.target) is None else "",  # it has a link, of no known name
        address=record.address,
        target=record.target,
        sources_of=case.sources_of,
    )


def _views(case: Case, ends: Mapping[End, EndView]) -> dict[Direction, View]:
    both = {end: ends.get(end) or EndView(end=end, snapshot=Snapshot()) for end in End}
    promise = case.recording.promise
    usual = tuple(trial for trial in case.trials if trial.spec.usual)
    bare = {
        direction: View(ends=both, trials=usual, promise=promise, direction=direction, recipes=case.recipes)
        for direction in ONE_WAY
    }
    mtu = USUAL_MTU if _told(case.trials) else None
    links = {direction: taken(view) for direction, view in bare.items()}
    speeds = {direction: path_speed(links[direction], promise.link_speed) for direction in ONE_WAY}
    ceilings = {
        direction: found[direction]
        for direction in ONE_WAY
        if direction in (found := asked_goodputs(links[direction], speeds[direction], promise, usual=mtu))
    }
    return {direction: replace(view, speed=speeds[direction], ceilings=ceilings) for direction, view in bare.items()}


def _told(trials: Sequence[Trial]) -> bool:
    """Whether all that is measured is what traffic programs told: what else is known is what somebody pasted."""
    sent = [trial for trial in trials if trial.throughput is not None]
    return bool(sent) and all(trial.told for trial in sent)


def _ways(views: Mapping[Direction, View]) -> tuple[Way, ...]:
    """The links of each direction."""
    return tuple(way(view, taken(view)) for view in views.values())


def _report(case: Case, end: EndView) -> EndReport:
    record = case.recording.ends[end.end]
    identity = end.all(HostIdentity)
    driver = end.want(DriverInfo, end.interface) if end.interface else None
    return EndReport(
        target=record.target,
        interface=record.interface,
        driver=driver.driver if driver else None,
        address=record.address,
        speed_bps=own_speed(end),
        kernel=next((fact.kernel for fact in identity if fact.kernel), None),
        boot_id=next((fact.boot_id for fact in identity if fact.boot_id), None),
        unreachable=record.unreachable,
        facts=_by_kind(end.snapshot),
        gaps=end.snapshot.gaps,
    )


def _by_kind(snapshot: Snapshot) -> dict[str, tuple[Any, ...]]:
    kinds: dict[str, dict[str, list[Fact]]] = defaultdict(lambda: defaultdict(list))
    for seen in snapshot.observations:
        kinds[type(seen.fact).__name__][seen.source].append(seen.fact)
    return {
        name: tuple(fact for facts in by_source.values() for fact in facts) for name, by_source in sorted(kinds.items())
    }


def _trouble(recording: Recording) -> str:
    """Why nothing is known: nothing given is understood, a host is out of reach, or no path joins the two."""
    given = recording.given
    if given is not None and not any(one.reader for one in given.readings):
        return _NOT_UNDERSTOOD
    for record in recording.ends.values():
        if record.unreachable:
            return record.unreachable
    ends = recording.ends.values()
    if len(ends) < len(End) or all(record.address for record in ends):
        return ""
    return next(iter(recording.notes), "no path between the two hosts was found")


def _assumptions(measurements: Sequence[Measurement], ends: Mapping[End, EndView]) -> tuple[str, ...]:
    """What the ceiling was reckoned with for want of better."""
    reckoned = any(one.ceiling_bps is not None for one in measurements)
    text = (
        "no link's MTU is known: the ceiling is reckoned with 1500 (with 9000 it is 5 % higher); ip link would show it"
    )
    return (text,) if reckoned and mtu_assumed(ends) else ()


def _notes(measurements: Sequence[Measurement]) -> tuple[str, ...]:
    return tuple(
        f"{one.direction.words}: the traffic program's figure differs by {one.engine_difference:+.1%} from the kernel's"
        for one in measurements
        if one.engine_difference is not None and abs(one.engine_difference) > _DIFFERENCE
    )
