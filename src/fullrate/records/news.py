"""What became known between two documents of one running job."""

from collections.abc import Iterator

from fullrate.records.event import Finished, Measured, Suspected
from fullrate.records.finding import Finding, Judgement
from fullrate.records.measurement import Measurement
from fullrate.records.run import Run, State


def news(before: Run | None, run: Run) -> tuple[Measured | Suspected, ...]:
    """The measurements with a new figure, then the suspect when it is another one now."""
    known = () if before is None else before.measurements
    measured = [_measured(one) for one in run.measurements if one not in known]
    suspected = _suspected(run)
    told = Suspected() if before is None else _suspected(before)
    return (*measured, *([suspected] if suspected != told else []))


def finished(run: Run, *, stopped: bool) -> Finished:
    """That the job is over."""
    return Finished(run=run.id, state=run.verdict.state, summary=run.verdict.summary, stopped=stopped)


def _measured(one: Measurement) -> Measured:
    return Measured(
        measurement=one.id,
        direction=one.direction,
        protocol=one.protocol,
        streams=one.streams,
        runs=len(one.trials),
        throughput_bps=one.throughput_bps,
        ceiling_bps=one.ceiling_bps,
        failure=one.failure,
    )


def _suspected(run: Run) -> Suspected:
    """The cause that the verdict names, which is none before the first trial, or when the link is full."""
    verdict = run.verdict
    if verdict.cause is None or verdict.state is State.FULL or not run.measurements:
        return Suspected()
    found = next(_named(run), None)
    return Suspected(
        cause=verdict.cause,
        end=verdict.end,
        confidence=verdict.confidence,
        sentence=verdict.summary if found is None else found.summary,
    )


def _named(run: Run) -> Iterator[Finding]:
    return (one for one in run.findings if (one.verdict, one.cause) == (Judgement.PROBLEM, run.verdict.cause))
