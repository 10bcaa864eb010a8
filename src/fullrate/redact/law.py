"""Whether two documents say the same of a link, whatever their hosts are called."""

from fullrate.records.finding import Finding
from fullrate.records.run import Run, Verdict


def same_diagnosis(one: Run, other: Run) -> bool:
    """Whether both name the same causes, as sure, at the same cost, and come to the same verdict."""
    return _answers(one) == _answers(other)


def _answers(run: Run) -> tuple[object, ...]:
    budget = tuple((part.direction, part.stage, part.cause, part.bps) for part in run.budget)
    return _answer(run.verdict), tuple(map(_found, run.findings)), budget


def _answer(verdict: Verdict) -> tuple[object, ...]:
    return verdict.state, verdict.direction, verdict.cause, verdict.stage, verdict.end, verdict.confidence


def _found(one: Finding) -> tuple[object, ...]:
    return one.check, one.cause, one.stage, one.end, one.direction, one.verdict, one.confidence, one.costs_bps
