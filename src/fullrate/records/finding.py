"""What a check concludes, on which evidence, and what would mend it."""

from dataclasses import dataclass
from enum import StrEnum

from fullrate.records.ends import Direction, End
from fullrate.records.evidence import Request
from fullrate.records.trial import TrialSpec
from fullrate.records.units import BitsPerSecond


class Judgement(StrEnum):
    """The verdict of one check."""

    PROBLEM = "problem"  # the cause acts
    CLEAR = "clear"  # it was looked for and is not there
    UNKNOWN = "unknown"  # a needed fact is missing
    NOT_APPLICABLE = "not_applicable"  # it cannot act on such a host or path


class Confidence(StrEnum):
    """How sure a verdict is."""

    HIGH = "high"  # two independent signs, or the cause counts its own victims
    MEDIUM = "medium"
    LOW = "low"


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """One value a verdict rests on: where it was read, which field, what it said."""

    source: str  # the request's key, or trial/ID
    field: str
    value: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Remedy:
    """A change that would mend the cause: exact commands and their undo; `end` is where to type them."""

    knob: str
    subject: str
    value: str
    end: End | None
    commands: tuple[str, ...]
    undo: tuple[str, ...]
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """A request or a trial whose answer would decide; `text` tells a person how to get it."""

    text: str
    end: End | None = None
    request: Request | None = None
    trial: TrialSpec | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """The result of one check on one direction (or on the whole run)."""

    check: str
    cause: str
    verdict: Judgement
    summary: str
    stage: str | None = None
    end: End | None = None  # None: the path, or both
    direction: Direction | None = None
    subject: str = ""
    confidence: Confidence = Confidence.MEDIUM
    evidence: tuple[Evidence, ...] = ()
    costs_bps: BitsPerSecond = 0.0
    remedies: tuple[Remedy, ...] = ()
    asks: tuple[Ask, ...] = ()
