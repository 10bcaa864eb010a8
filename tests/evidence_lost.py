"""A recorded run without one piece of its evidence after the other, and what its problems then become. Pure."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from disturbed import unsampled
from fullrate import registry
from fullrate.diagnose import Case, diagnose
from fullrate.records.causes import CAUSES
from fullrate.records.ends import End
from fullrate.records.evidence import QueryCommand, ReadFile, Reply, Request, Status
from fullrate.records.facts.base import Fact
from fullrate.records.finding import Finding, Judgement
from fullrate.records.leaf import Check
from fullrate.records.recording import EndRecord, Moment, Recording
from fullrate.records.run import Run, State
from fullrate.records.snapshot import Snapshot, Window
from fullrate.records.trial import Trial
from fullrate.replaying import case_of

CLEARED = {Judgement.CLEAR, Judgement.NOT_APPLICABLE}
Place = tuple[str, Any, Any]  # of a finding: check, direction, end


@dataclass(frozen=True, slots=True, kw_only=True)
class Loss:
    """A run without one piece of evidence: what it was, and the case without it."""

    what: str
    case: Case


# --- what can be lost


def fact_losses(case: Case) -> Iterator[Loss]:
    """The case without each kind of fact of each end: as collected, of the trials, of their starts and ends, of all."""
    for end in case.recording.ends:
        for kind in _kinds(case, end):
            name = f"{end} {kind.__name__}"
            yield Loss(what=f"{name}, collected", case=_collected_without(case, end, kind))
            yield Loss(what=f"{name}, before", case=_watched_without(case, end, kind, before=True, after=False))
            yield Loss(what=f"{name}, after", case=_watched_without(case, end, kind, before=False, after=True))
            yield Loss(what=f"{name}, watched", case=_watched_without(case, end, kind))
            everywhere = _watched_without(_collected_without(case, end, kind), end, kind)
            yield Loss(what=name, case=everywhere)


def trial_losses(case: Case) -> Iterator[Loss]:
    """The case without each kind of trial, without its rate, without what its program said, and each end's counters.

    Of a kind that was run again, all runs: what one of them showed alone is no evidence about the others. An attempt
    that failed stays: without it nothing was tried, and another that succeeded is right to say so.
    """
    failed = {trial.spec.label for trial in case.trials if trial.failure}
    for name in dict.fromkeys(trial.spec.label for trial in case.trials):
        if name not in failed:
            yield Loss(what=name, case=_with_trials(case, name, lambda _: None))
        yield Loss(what=f"{name}, rate", case=_with_trials(case, name, _unmeasured))
        yield Loss(what=f"{name}, program", case=_with_trials(case, name, lambda trial: replace(trial, engine=None)))
        for end in case.recording.ends:
            yield Loss(what=f"{name}, {end} counters", case=_with_trials(case, name, partial(_unwatched, end)))


def reply_losses(case: Case, statuses: Sequence[Status | None]) -> Iterator[Loss]:
    """The case without each kind of reply of each end: never asked for (None), or ended in this way."""
    for end in case.recording.ends:
        for kind in sorted({kind_of(reply.request) for reply in _replies(case.recording, end)}):
            for status in statuses:
                recording = _without_reply(case.recording, end, kind, status)
                yield Loss(what=f"{end} `{kind}` {status or 'not asked'}", case=case_of(recording))


def sampled_losses(case: Case) -> Iterator[Loss]:
    """The case of a kernel without each sampled file of each end."""
    for end in case.recording.ends:
        for key in dict.fromkeys(key for trial in case.recording.trials for log in trial.frames for key in log.table):
            yield Loss(what=f"{end} {key}, sampled", case=case_of(unsampled(case.recording, end, key)))


def kind_of(request: Request) -> str:
    """What a request is about, whatever link or process it names: one source asks it of all of them."""
    if isinstance(request, QueryCommand):
        return " ".join(word for word in request.argv[:5] if word.isalpha() or word.startswith("-"))
    return "/".join(request.path.split("/")[:4]) if isinstance(request, ReadFile) else request.key.split()[0]


# --- what becomes of it


def problems(run: Run) -> dict[Place, Finding]:
    """The problems of a run."""
    return {_place(one): one for one in run.findings if one.verdict is Judgement.PROBLEM}


def cleared(case: Case, losses: Iterator[Loss]) -> list[str]:
    """Each loss that makes the case's answer better: a link is full that was not, or a problem is cleared.

    A general one may yield to one of its special kinds, which then stands in its place.
    """
    whole = diagnose(case, registry.checks())
    found = problems(whole)
    concerned = [check for check in registry.checks() if _concerns(check, found)]
    return [text for loss in losses for text in _better(whole, found, loss, diagnose(loss.case, concerned))]


def _better(whole: Run, found: dict[Place, Finding], loss: Loss, run: Run) -> Iterator[str]:
    if run.verdict.state is State.FULL and whole.verdict.state is not State.FULL:
        yield f"without {loss.what}: the link is full"
    left = problems(run)
    for problem in found.values():
        there = [one for one in run.findings if _same(one, problem)]
        good = {one.verdict for one in there} <= CLEARED
        if there and good and not _specialised(problem, left):
            yield f"without {loss.what}: {problem.check} is {there[0].verdict}: {there[0].summary}"


def _same(one: Finding, problem: Finding) -> bool:
    """Whether two findings are about one thing; a clear one may name no end."""
    ends = one.end is problem.end or None in {one.end, problem.end}
    return (one.check, one.direction) == (problem.check, problem.direction) and ends


def _specialised(general: Finding, left: dict[Place, Finding]) -> bool:
    """Whether a problem stands that is a special kind of what was cleared: that one says it better."""
    return any(general.cause in _ancestors(one.cause) for one in left.values())


def _concerns(check: Check, found: dict[Place, Finding]) -> bool:
    """Whether a check found one of the problems, or a special kind of one."""
    causes = {one.cause for one in found.values()}
    return bool(causes & {check.cause, *_ancestors(check.cause)})


def _ancestors(slug: str) -> tuple[str, ...]:
    cause = CAUSES.get(slug)
    return () if cause is None or cause.parent is None else (cause.parent, *_ancestors(cause.parent))


def _place(finding: Finding) -> Place:
    return finding.check, finding.direction, finding.end


# --- taking away


def _kinds(case: Case, end: End) -> list[type[Fact]]:
    windows = [trial.windows[end] for trial in case.trials if end in trial.windows]
    snapshots = [case.snapshots[end], *(part for window in windows for part in (window.before, window.after))]
    kinds = {type(seen.fact) for snapshot in snapshots for seen in snapshot.observations}
    return sorted(kinds, key=lambda kind: kind.__name__)


def _without(snapshot: Snapshot, kind: type[Fact]) -> Snapshot:
    kept = tuple(seen for seen in snapshot.observations if type(seen.fact) is not kind)
    return replace(snapshot, observations=kept)


def _collected_without(case: Case, end: End, kind: type[Fact]) -> Case:
    return replace(case, snapshots={**case.snapshots, end: _without(case.snapshots[end], kind)})


def _watched_without(case: Case, end: End, kind: type[Fact], *, before: bool = True, after: bool = True) -> Case:
    def left(window: Window) -> Window:
        first = _without(window.before, kind) if before else window.before
        return Window(before=first, after=_without(window.after, kind) if after else window.after)

    def of(trial: Trial) -> Trial:
        return replace(trial, windows={e: left(w) if e is end else w for e, w in trial.windows.items()})

    return replace(case, trials=tuple(map(of, case.trials)))


def _with_trials(case: Case, label: str, change: Callable[[Trial], Trial | None]) -> Case:
    changed = (change(trial) if trial.spec.label == label else trial for trial in case.trials)
    return replace(case, trials=tuple(trial for trial in changed if trial is not None))


def _unmeasured(trial: Trial) -> Trial:
    return replace(trial, throughput=None, series=(), failure="nothing was seen")


def _unwatched(end: End, trial: Trial) -> Trial:
    return replace(trial, windows={other: window for other, window in trial.windows.items() if other is not end})


def _replies(recording: Recording, end: End) -> Iterator[Reply]:
    trials = (moment for trial in recording.trials for moment in trial.moments if moment.end is end)
    return (reply for moment in (*recording.ends[end].moments, *trials) for reply in moment.replies)


def _without_reply(recording: Recording, end: End, kind: str, status: Status | None) -> Recording:
    def left(moment: Moment) -> Moment:
        return moment if moment.end is not end else replace(moment, replies=_lost(moment.replies, kind, status))

    def of(record: EndRecord) -> EndRecord:
        return replace(record, moments=tuple(map(left, record.moments)))

    trials = tuple(replace(trial, moments=tuple(map(left, trial.moments))) for trial in recording.trials)
    return replace(recording, ends={e: of(record) for e, record in recording.ends.items()}, trials=trials)


def _lost(replies: tuple[Reply, ...], kind: str, status: Status | None) -> tuple[Reply, ...]:
    if status is None:
        return tuple(reply for reply in replies if kind_of(reply.request) != kind)
    return tuple(
        replace(reply, status=status, payload=b"") if kind_of(reply.request) == kind else reply for reply in replies
    )
