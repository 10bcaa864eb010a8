"""The document of `check` and `diagnose`: schema fullrate/run/1. Its keys are a promise."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from fullrate.records.ends import Direction, End
from fullrate.records.evidence import Gap
from fullrate.records.finding import Confidence, Finding
from fullrate.records.measurement import Measurement
from fullrate.records.numbers import Numbers
from fullrate.records.part import Given
from fullrate.records.units import BitsPerSecond

SCHEMA = "fullrate/run/1"
UNEXPLAINED = "unexplained"


class State(StrEnum):
    """The answer to: is the link full?"""

    FULL = "full"
    NOT_FULL = "not_full"
    UNDECIDED = "undecided"
    NOT_MEASURED = "not_measured"


@dataclass(frozen=True, slots=True, kw_only=True)
class EndReport:
    """One host as the run saw it; `facts` holds the collected facts by the name of their kind."""

    target: str
    interface: str | None = None
    driver: str | None = None
    address: str | None = None
    speed_bps: BitsPerSecond | None = None
    kernel: str | None = None
    boot_id: str | None = None
    unreachable: str = ""  # why the host could not be read, in one sentence
    facts: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)
    gaps: tuple[Gap, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """The links that one direction's packets took, which need not be those under test; `speed_bps` of the slower."""

    direction: Direction
    sender_link: str | None
    receiver_link: str | None
    speed_bps: BitsPerSecond | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Criterion:
    """One condition of the verdict and whether it held in one direction."""

    direction: Direction
    name: str  # throughput, steadiness
    required: str
    observed: str
    met: bool | None  # None: could not be told


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """The answer."""

    state: State
    summary: str
    direction: Direction | None = None
    criteria: tuple[Criterion, ...] = ()
    cause: str | None = None
    stage: str | None = None
    end: str | None = None  # near, far or path
    subject: str = ""
    confidence: Confidence = Confidence.LOW
    ask_for: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class BudgetPart:
    """A part of the missing rate; the parts of a direction sum to max(0, ceiling - measured)."""

    direction: Direction
    stage: str
    cause: str | None
    bps: BitsPerSecond


@dataclass(frozen=True, slots=True, kw_only=True)
class PathStage:
    """One stage of a packet's path in one direction: how busy, what it could carry, what it lost."""

    direction: Direction
    stage: str
    role: str  # sender, wire or receiver
    note: str = ""
    utilisation: float | None = None  # 1.0: saturated
    ceiling_bps: BitsPerSecond | None = None
    lost: int | None = None
    lost_note: str = ""
    limit: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One job from start to verdict."""

    schema: str
    id: str
    started_at: str  # ISO 8601, UTC
    tool_version: str
    ends: Mapping[End, EndReport]
    measurements: tuple[Measurement, ...]
    verdict: Verdict
    budget: tuple[BudgetPart, ...]
    path: tuple[PathStage, ...]
    findings: tuple[Finding, ...]
    ways: tuple[Way, ...] = ()
    notes: tuple[str, ...] = ()  # what a reader should know of how it was measured
    numbers: Numbers | None = None  # of `measure`: what its tests came to, taken together
    given: Given | None = None  # of `diagnose`: what was read, and what was not understood
