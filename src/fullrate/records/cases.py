"""How well the causes of recorded cases were named: schema fullrate/score/1. Its keys are a promise."""

import statistics
from dataclasses import dataclass
from enum import StrEnum

from fullrate.records.causes import CAUSES
from fullrate.records.finding import Confidence
from fullrate.records.units import Seconds

CASES_SCHEMA = "fullrate/score/1"


class Decidable(StrEnum):
    """How far the evidence of a case goes."""

    YES = "yes"  # it names the cause
    PARTLY = "partly"  # it narrows it to two or three
    NO = "no"  # the right answer is to ask for more


class Outcome(StrEnum):
    """What one answer was worth."""

    RIGHT = "right"  # the cause, one that may be named as well, or that nothing is wrong
    NEAR = "near"  # a kind of the cause, or what it is a kind of
    ASKED = "asked"  # no cause was named, and what is missing was asked for
    WRONG = "wrong"


@dataclass(frozen=True, slots=True, kw_only=True)
class Truth:
    """What a case is about. `causes`: the true one, then those that may be named as well."""

    id: str
    causes: tuple[str, ...]
    decidable: Decidable


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseRow:
    """One case and its answer; `counts`: whether the answer is good enough for what the evidence holds."""

    id: str
    expected: str
    got: str | None
    outcome: Outcome
    counts: bool
    seconds: Seconds
    confidence: Confidence = Confidence.LOW
    decidable: Decidable = Decidable.YES
    failure: str = ""

    @property
    def confident_wrong(self) -> bool:
        """Whether a wrong cause was named without a doubt."""
        return self.outcome is Outcome.WRONG and self.got is not None and self.confidence is Confidence.HIGH


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseScore:
    """All cases. `good`: rows that count."""

    cases: int
    right: int
    near: int
    asked: int
    wrong: int
    confident_wrong: int
    good: int
    median_seconds: Seconds | None
    worst_seconds: Seconds | None
    rows: tuple[CaseRow, ...]
    schema: str = CASES_SCHEMA

    @property
    def perfect(self) -> bool:
        """Whether every answer counts."""
        return self.good == self.cases


def score_of_cases(rows: tuple[CaseRow, ...]) -> CaseScore:
    """The sums over all rows."""
    counted = {outcome: sum(row.outcome is outcome for row in rows) for outcome in Outcome}
    seconds = [row.seconds for row in rows]
    return CaseScore(
        cases=len(rows),
        right=counted[Outcome.RIGHT],
        near=counted[Outcome.NEAR],
        asked=counted[Outcome.ASKED],
        wrong=counted[Outcome.WRONG],
        confident_wrong=sum(row.confident_wrong for row in rows),
        good=sum(row.counts for row in rows),
        median_seconds=statistics.median(seconds) if seconds else None,
        worst_seconds=max(seconds, default=None),
        rows=rows,
    )


def slug_of(name: str) -> str:
    """The slug that a name or another name of a cause stands for; the name itself where there is none."""
    if name in CAUSES:
        return name
    return next((cause.slug for cause in CAUSES.values() if name in cause.aliases), name)


def related(one: str, other: str) -> bool:
    """Whether one cause is a kind of the other."""
    found, against = CAUSES.get(slug_of(one)), CAUSES.get(slug_of(other))
    if found is None or against is None:
        return False
    return found.parent == against.slug or against.parent == found.slug
