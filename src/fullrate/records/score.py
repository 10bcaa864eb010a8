"""How well the faults of the practice network were named: schema fullrate/lab-score/1. Its keys are a promise."""

import statistics
from dataclasses import dataclass
from enum import StrEnum

from fullrate.records.units import BitsPerSecond, Seconds

SCORE_SCHEMA = "fullrate/lab-score/1"
HEALTHY = "healthy"  # stands for the fault where there is none


class Outcome(StrEnum):
    """What one run was worth."""

    RIGHT = "right"  # the cause came first and nobody innocent was blamed; healthy: full, nothing wrong
    WRONG = "wrong"  # another cause came first, or an innocent one was blamed
    MISSED = "missed"  # no cause was named, or the run failed
    NOT_EFFECTIVE = "not_effective"  # the injector's own test shows less loss than a fault must cost
    FALSE_ALARM = "false_alarm"  # healthy, and yet not full or something wrong


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One run. `got`: the cause that came first; `blamed`: the innocent ones that were called a problem."""

    fault: str
    kind: str  # effect, configuration, pair or healthy
    expected: str | None
    got: str | None
    outcome: Outcome
    seconds: Seconds  # that the check took; 0 when none was made
    plain_bps: BitsPerSecond | None = None  # by the injector's own test; None when there was none
    healthy_bps: BitsPerSecond | None = None  # the same of the healthy lab
    second: bool | None = None  # of a pair: whether the smaller fault's cause is among the problems too
    blamed: tuple[str, ...] = ()
    run: str | None = None  # the id under which the check's run is kept
    failure: str = ""  # why there is no answer


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """All runs. `effective` and `recall` count runs of faults; a fault that is not effective counts in neither."""

    faults: int
    effective: int
    recall: float | None  # None: nothing was effective
    healthy_runs: int
    false_alarms: int
    median_healthy_seconds: Seconds | None
    median_faulty_seconds: Seconds | None
    rows: tuple[Row, ...]
    schema: str = SCORE_SCHEMA

    @property
    def perfect(self) -> bool:
        """Whether every run was worth what it should be."""
        return all(row.outcome is Outcome.RIGHT for row in self.rows)


def score_of(rows: tuple[Row, ...]) -> Score:
    """The sums over all rows."""
    healthy = [row for row in rows if row.kind == HEALTHY]
    faulty = [row for row in rows if row.kind != HEALTHY]
    effective = [row for row in faulty if row.outcome is not Outcome.NOT_EFFECTIVE]
    right = sum(row.outcome is Outcome.RIGHT for row in effective)
    return Score(
        faults=len({row.fault for row in faulty}),
        effective=len(effective),
        recall=right / len(effective) if effective else None,
        healthy_runs=len(healthy),
        false_alarms=sum(row.outcome is Outcome.FALSE_ALARM for row in healthy),
        median_healthy_seconds=_median([row.seconds for row in healthy]),
        median_faulty_seconds=_median([row.seconds for row in effective]),
        rows=rows,
    )


def _median(values: list[Seconds]) -> Seconds | None:
    return statistics.median(values) if values else None
