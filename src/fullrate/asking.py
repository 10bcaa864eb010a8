"""What to ask next: the cheapest harmless question whose answer can still change the verdict. Pure.

This one rule is the adaptive order of tests: one flow out, one flow back, then only what decides.
"""

from collections.abc import Iterable, Sequence

from fullrate.records.ends import Direction
from fullrate.records.evidence import Status
from fullrate.records.finding import Ask, Confidence, Finding, Judgement
from fullrate.records.run import UNEXPLAINED, Run, State
from fullrate.records.trial import TrialSpec

MOST_RUNS = 3  # of one kind of trial
_MOST_LOOKS = 2  # at the link at rest: before the test, and once more when other traffic came during it
_EXPLAINED = 0.5  # of the missing rate: a limiter that is sure and costs more needs no further trial


def next_ask(run: Run, tried: Iterable[Ask], *, allow_load: bool, numbers: bool = False) -> Ask | None:
    """The next question, or None when the verdict stands or nothing more can be asked.

    `numbers`: only the look at the link at rest and one flow each way are of interest, each once.
    """
    asked = list(tried)
    open_ = [
        ask
        for finding in run.findings
        if finding.verdict is Judgement.UNKNOWN
        for ask in finding.asks
        if _answerable(ask, run) and not _spent(ask, asked) and _useful(ask, finding, run, asked)
        if not numbers or _is_number(ask, asked)
    ]
    if (held_back(run, asked) and not allow_load) or _hopeless(run, asked):
        open_ = [ask for ask in open_ if not _sends(ask)]
    return min(open_, key=_price, default=None)


def held_back(run: Run, tried: Iterable[Ask]) -> Finding | None:
    """The other traffic for which nothing is sent, as long as nothing was."""
    if any(map(_sends, tried)):
        return None
    return next(
        (one for one in run.findings if one.cause == "competing-traffic" and one.verdict is Judgement.PROBLEM), None
    )


def _sends(ask: Ask) -> bool:
    return ask.trial is not None and ask.trial.sends


def _hopeless(run: Run, tried: Sequence[Ask]) -> bool:
    """Whether a test was tried and something that holds for every test kept it from running."""
    nothing = all(measurement.throughput_bps is None for measurement in run.measurements)
    stopped = any(one.direction is None and one.verdict is Judgement.PROBLEM for one in run.findings)
    return any(map(_sends, tried)) and nothing and stopped


def _answerable(ask: Ask, run: Run) -> bool:
    """Whether it can be put, and was not refused already; a host that was only slow may answer the second time."""
    if ask.trial is not None:
        return True
    if ask.request is None or ask.end is None or ask.end not in run.ends:
        return False
    refused = {gap.tried for gap in run.ends[ask.end].gaps if gap.status is not Status.TIMED_OUT}
    return ask.request.key not in refused


def _same(one: Ask, other: Ask) -> bool:
    if one.trial is not None and other.trial is not None:
        return _kind(one.trial) == _kind(other.trial)
    return one.trial is None and other.trial is None and (one.end, one.request) == (other.end, other.request)


def _kind(spec: TrialSpec) -> tuple[object, ...]:
    return spec.kind, spec.direction, spec.protocol, spec.streams


def _spent(ask: Ask, tried: Sequence[Ask]) -> bool:
    most = 1 if ask.trial is None else MOST_RUNS if ask.trial.sends else _MOST_LOOKS
    return sum(_same(ask, other) for other in tried) >= most


def _useful(ask: Ask, finding: Finding, run: Run, tried: Sequence[Ask]) -> bool:
    """Nothing is when the link is full; a direction's first trial always is, all else while the answer is open."""
    if run.verdict.state is State.FULL:
        return False
    if ask.trial is not None and not _looked(ask.trial, tried):
        return True
    about = ask.trial.direction if ask.trial is not None and ask.trial.sends else finding.direction
    return not (about == run.verdict.direction and _explained(run))


def _is_number(ask: Ask, tried: Sequence[Ask]) -> bool:
    """Whether it is a direction's first trial, with one flow (UDP's has a rate), or the first look at rest."""
    spec = ask.trial
    number = spec is not None and spec.streams == 1 and (spec.protocol == "tcp" or spec.rate is not None)
    return spec is not None and number and not _looked(spec, tried)


def _looked(spec: TrialSpec, tried: Sequence[Ask]) -> bool:
    """Whether this direction was tried before (the link at rest, when the trial sends nothing)."""
    made = (other.trial for other in tried if other.trial is not None)
    return any((other.kind, other.direction) == (spec.kind, spec.direction) for other in made)


def _explained(run: Run) -> bool:
    verdict = run.verdict
    if verdict.state is not State.NOT_FULL or verdict.cause is None or verdict.confidence is Confidence.LOW:
        return False
    parts = [part for part in run.budget if part.direction is verdict.direction]
    missing = sum(part.bps for part in parts)
    open_ = sum(part.bps for part in parts if part.stage == UNEXPLAINED)
    return missing > 0 and open_ <= (1 - _EXPLAINED) * missing


def _price(ask: Ask) -> tuple[int, bool, int]:
    """Requests are all but free, an idle look costs a second, a trial costs time and load; near to far comes first."""
    if ask.trial is None:
        return (0, False, 0)
    return (2 if ask.trial.sends else 1, ask.trial.direction is Direction.FAR_TO_NEAR, ask.trial.streams)
