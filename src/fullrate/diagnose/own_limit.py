"""A rate that may be the limit of fullrate's own sender: no host is blamed for it."""

from collections.abc import Sequence
from dataclasses import replace

from fullrate.diagnose.judge import Judged
from fullrate.diagnose.ranking import is_full, ranked
from fullrate.diagnose.verdict import criteria, main_measurement, state_of
from fullrate.records.ends import ONE_WAY, Direction
from fullrate.records.finding import Confidence, Finding, Judgement
from fullrate.records.measurement import Measurement
from fullrate.records.run import State

_DOUBT = "whether it costs rate only iperf3 would tell: the last-resort sender filled a CPU itself"


def unblamed(judged: Judged, measurements: Sequence[Measurement]) -> Judged:
    """The findings, those that explain a rate that the sender itself may have limited being open again."""
    doubtful = {way for way in ONE_WAY if _limits_itself(measurements, way)}
    found = (_reopened(one) if one.direction in doubtful and _blames(one) else one for one in judged.findings)
    return Judged(findings=ranked(found)) if doubtful else judged


def _limits_itself(measurements: Sequence[Measurement], direction: Direction) -> bool:
    measured = main_measurement(measurements, direction)
    full = state_of(direction, criteria(measurements)) is State.FULL
    return measured is not None and measured.self_limited and not full


def _blames(finding: Finding) -> bool:
    return finding.verdict is Judgement.PROBLEM and finding.costs_bps > 0 and not is_full(finding)


def _reopened(finding: Finding) -> Finding:
    return replace(
        finding,
        verdict=Judgement.UNKNOWN,
        confidence=Confidence.LOW,
        costs_bps=0.0,
        summary=f"{finding.summary}; {_DOUBT}",
        remedies=(),
    )
