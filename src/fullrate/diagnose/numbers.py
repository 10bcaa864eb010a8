"""A run cut down to its numbers: what was measured, and whether the link is full; no cause, for none was looked for."""

from dataclasses import replace

from fullrate.diagnose.verdict import FULL_BOTH, FULL_UDP, state_of
from fullrate.records.ends import Direction
from fullrate.records.finding import Confidence, Finding, Judgement
from fullrate.records.measurement import Measurement
from fullrate.records.run import Run, State, Verdict


def only_numbers(run: Run) -> Run:
    """The run without facts, budget, path and causes; where nothing was measured, what kept it from that stays."""
    measured = any(map(_is_told, run.measurements))
    return replace(
        run,
        ends={end: replace(report, facts={}, gaps=()) for end, report in run.ends.items()},
        verdict=_bare(run) if measured else run.verdict,
        budget=(),
        path=(),
        findings=() if measured else tuple(one for one in run.findings if _named(one, run.verdict)),
    )


def _is_told(found: Measurement) -> bool:
    """Whether a test came to any number."""
    return any(
        one is not None for one in (found.throughput_bps, found.latency, found.path_mtu_bytes, found.disk_read_bps)
    )


def _bare(run: Run) -> Verdict:
    verdict = run.verdict
    tested = {one.direction for one in run.measurements if one.counts}
    if not any(one.counts and one.throughput_bps is not None for one in run.measurements):
        return Verdict(state=State.NOT_MEASURED, summary="whether the link is full was not tested")
    if len(tested) == 1:
        return _one_way(verdict, *tested)
    return replace(
        verdict,
        summary=_summary(verdict, udp=any(one.counts and one.asked_bps is not None for one in run.measurements)),
        cause=None,
        stage=None,
        end=None,
        subject="",
        confidence=Confidence.LOW,
        ask_for=(),
    )


def _one_way(verdict: Verdict, direction: Direction) -> Verdict:
    """The verdict about the only direction that was tested."""
    state = state_of(direction, verdict.criteria)
    words = {State.FULL: "the link is full", State.NOT_FULL: "the link is not full"}
    told = words.get(state, "whether the link is full could not be told")
    return Verdict(
        state=state,
        summary=f"{told} {direction.words}; the other way was not tested",
        direction=direction,
        criteria=tuple(one for one in verdict.criteria if one.direction is direction),
    )


def _summary(verdict: Verdict, *, udp: bool) -> str:
    if verdict.state is State.FULL:
        return FULL_UDP if udp else FULL_BOTH
    if verdict.state is State.NOT_FULL and verdict.direction is not None:
        short = "not all that UDP was to carry arrives" if udp else "the link is not full"
        return f"{short} {verdict.direction.words}; why was not looked for: fullrate check does"
    return verdict.summary


def _named(finding: Finding, verdict: Verdict) -> bool:
    """Whether it is the problem that the verdict names."""
    return finding.verdict is Judgement.PROBLEM and finding.cause == verdict.cause
