"""What pairs of measurements show: ratios with their intervals, false claims, coverage. Pure."""

import math
import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from fullrate.measure.stats import LEAST_HALF_WIDTH, student_t
from fullrate.records.trial import Estimate


@dataclass(frozen=True, slots=True, kw_only=True)
class Ratio:
    """The geometric mean of paired ratios with its 95 % interval."""

    pairs: int
    middle: float
    low: float
    high: float

    def __str__(self) -> str:
        """As the tables have it."""
        return f"{self.middle:.3f} ({self.low:.3f} to {self.high:.3f}, {self.pairs} pairs)"

    @property
    def shows_equal(self) -> bool:
        """Whether the interval contains 1."""
        return self.low <= 1 <= self.high


def ratio(ones: Sequence[float], others: Sequence[float]) -> Ratio:
    """How ones compare with the others, each with its partner: t interval of the logarithms. Two pairs at least."""
    logs = [math.log(one / other) for one, other in zip(ones, others, strict=True)]
    mean, half = statistics.fmean(logs), student_t(len(logs) - 1) * statistics.stdev(logs) / math.sqrt(len(logs))
    low, middle, high = (math.exp(value) for value in (mean - half, mean, mean + half))
    return Ratio(pairs=len(logs), low=low, middle=middle, high=high)


def error(estimate: Estimate) -> float:
    """Half the 95 % interval as it is printed: never below the floor."""
    return max((estimate.ci_high - estimate.ci_low) / 2, LEAST_HALF_WIDTH * estimate.median)


def covers(estimate: Estimate, truth: float) -> bool:
    """Whether the printed interval holds the true rate."""
    return abs(estimate.median - truth) <= error(estimate)


def differ(one: Estimate, other: Estimate) -> bool:
    """Whether two independent measurements claim a difference: the 95 % interval of it holds no 0."""
    return abs(one.median - other.median) > math.hypot(error(one), error(other))


def apart(one: Estimate, other: Estimate) -> bool:
    """Whether the two printed intervals have nothing in common: the coarser claim of a reader who only looks."""
    return abs(one.median - other.median) > error(one) + error(other)


def spread(values: Iterable[float]) -> float:
    """The coefficient of variation: standard deviation by mean."""
    known = tuple(values)
    return statistics.stdev(known) / statistics.fmean(known)
