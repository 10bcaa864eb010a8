"""What a run of `measure` found beside its rates: capacities without loss, which of two is faster, the conditions."""

from dataclasses import dataclass
from enum import StrEnum

from fullrate.records.ends import Direction, End
from fullrate.records.units import BitsPerSecond, Bytes


class Profile(StrEnum):
    """A set of tests that answers one question."""

    QUICK = "quick"  # is the link full? one flow each way
    FULL = "full"  # what an engineer measures in an afternoon
    SCALING = "scaling"  # what do more flows carry, and at what cost?
    SOAK = "soak"  # does it hold for an hour?
    PPS = "pps"  # how many small packets a second
    LATENCY = "latency"  # how long answers take, idle and under load
    HUNDRED_G = "100g"  # what several processes reach on a fast link


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What `measure` is to measure: a profile's tests, or those that words name, each so many times."""

    profile: str = ""
    tests: tuple[str, ...] = ()
    disks: tuple[str, ...] = ()
    repeat: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Capacity:
    """The highest rate of UDP that arrived without loss, in one direction; each rate was tried for a second or two."""

    direction: Direction
    datagram_bytes: Bytes | None
    loss_free_bps: BitsPerSecond | None  # None: every rate that was tried lost datagrams
    lossy_bps: BitsPerSecond | None  # the lowest that did; None: none did
    packets_per_second: float | None  # that arrived at the loss-free rate
    tried: int


class Outcome(StrEnum):
    """What two tests side by side show."""

    FASTER = "faster"
    SLOWER = "slower"
    NO_DIFFERENCE = "no difference shown"


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """How a measurement's rate compares with the first one's, by runs in turn; the ratio's 95 % interval."""

    base: str  # measurement ids
    other: str
    pairs: int
    ratio: float
    ci_low: float
    ci_high: float
    outcome: Outcome


@dataclass(frozen=True, slots=True, kw_only=True)
class Condition:
    """A setting that moves the result, as it was found; no end: of the test itself."""

    end: End | None
    name: str
    value: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Numbers:
    """What `measure` found; None in a run of another verb."""

    profile: str
    capacities: tuple[Capacity, ...] = ()
    comparisons: tuple[Comparison, ...] = ()
    conditions: tuple[Condition, ...] = ()
