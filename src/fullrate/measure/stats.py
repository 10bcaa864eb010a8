"""When a rate is known well enough: truncation, half width, stopping rule, threshold verdict. Pure, standard library.

The rule is looked at every 0.5 s on the series so far, so a nominal 95 % holds in 80 to 100 % of series (calibrated on
synthetic ones). It cannot see a neighbour who arrives after it stopped: a claim of +-2 % takes several runs.
"""

import functools
import itertools
import math
import statistics
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from operator import mul
from typing import TypeVar

from fullrate.records.trial import Estimate
from fullrate.records.units import BitsPerSecond, Seconds

FLOOR: Seconds = 3.0  # no look before; bbr needs 10 s, its probe cycle
TARGET = 0.02  # relative half width of a settled estimate
LEAST_HALF_WIDTH = 0.002  # of the mean: bursts and queues bias more than noise does
STEADY_SHARE = 0.9  # of the median: a lower second is a dip

_NORMAL = 1.96  # standard errors in half a 95 % interval
_STEP: Seconds = 0.1
_LOOK_EVERY: Seconds = 0.5
_IN_A_ROW = 3
_BATCH = 5  # samples, of MSER-5
BATCH_SECONDS: Seconds = _BATCH * _STEP
_LEAST_BATCHES = 8
_DECIDING_SAMPLES = 8  # effective ones, to call a side
_SETTLING_SAMPLES = 30  # effective ones, to call an estimate settled
_SETTLING_SECONDS: Seconds = 2.0  # kept after truncation

T = TypeVar("T")


class Side(StrEnum):
    """On which side of a bar the rate lies."""

    ABOVE = "above"
    BELOW = "below"
    OPEN = "open"  # not known yet


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """The series so far: mean and 95 % half width of what is left after the warm-up."""

    mean: BitsPerSecond
    half_width: BitsPerSecond
    warm_up_samples: int
    effective_samples: float  # independent ones, as far as autocorrelation tells
    kept: Seconds
    drift: BitsPerSecond  # between the means of its two halves

    def side(self, bar: BitsPerSecond) -> Side:
        """On which side of the bar the whole interval lies; OPEN also when there is too little to tell."""
        if self.effective_samples < _DECIDING_SAMPLES or abs(self.mean - bar) <= self.half_width:
            return Side.OPEN
        return Side.ABOVE if self.mean > bar else Side.BELOW

    def meets(self, target: float) -> bool:
        """Whether mean and half width may be stated to the relative `target`."""
        enough = self.effective_samples >= _SETTLING_SAMPLES and self.kept >= _SETTLING_SECONDS
        narrow = self.half_width <= target * self.mean
        return enough and narrow and self.drift <= 2 * target * self.mean


def look(series: Sequence[BitsPerSecond], *, step: Seconds = _STEP, batch: int = _BATCH) -> Look:
    """The estimate from the series so far; its half width is infinite when the series is too short.

    `batch`: how many samples of it make one of those that tell the warm-up.
    """
    return _look(tuple(series), step, batch)


@functools.lru_cache(maxsize=256)  # a running trial asks for its earlier looks again and again
def _look(series: tuple[BitsPerSecond, ...], step: Seconds, batch: int) -> Look:
    warm_up = truncation(series, batch=batch)
    kept = series[warm_up:]
    mean = statistics.fmean(kept) if kept else 0.0
    half = len(kept) // 2
    effective = len(kept) / correlation_time(kept)
    return Look(
        mean=mean,
        half_width=max(half_width(kept), LEAST_HALF_WIDTH * mean),
        warm_up_samples=warm_up,
        effective_samples=effective,
        kept=len(kept) * step,
        drift=abs(statistics.fmean(kept[:half]) - statistics.fmean(kept[half:])) if half else 0.0,
    )


def decide(
    series: Sequence[BitsPerSecond], bar: BitsPerSecond, *, floor: Seconds = FLOOR, step: Seconds = _STEP
) -> Side:
    """On which side of the bar the rate lies, by the first three looks in a row that agree; OPEN when none do."""
    sides = (one.side(bar) for one in _looks(series, floor=floor, step=step))
    return next((side for side in _agreed(sides) if side is not Side.OPEN), Side.OPEN)


def settled(
    series: Sequence[BitsPerSecond], *, target: float = TARGET, floor: Seconds = FLOOR, step: Seconds = _STEP
) -> bool:
    """Whether three looks in a row gave an estimate good to the relative `target`."""
    return any(_agreed(one.meets(target) for one in _looks(series, floor=floor, step=step)))


def _agreed(answers: Iterable[T]) -> Iterator[T]:
    """The answers that three looks in a row gave, in order."""
    for answer, run in itertools.groupby(answers):
        if len(tuple(itertools.islice(run, _IN_A_ROW))) == _IN_A_ROW:
            yield answer


def _looks(series: Sequence[BitsPerSecond], *, floor: Seconds, step: Seconds) -> Iterator[Look]:
    return (look(series[:count], step=step) for count in _look_points(len(series), floor=floor, step=step))


def _look_points(length: int, *, floor: Seconds, step: Seconds) -> Iterator[int]:
    """Every 0.5 s from `floor` on; after 25 s each 2 % later, so that a long test stays cheap to replay."""
    count = round(floor / step)
    while count <= length:
        yield count
        count += max(round(_LOOK_EVERY / step), count // 50)


def steady(series: Sequence[BitsPerSecond], *, step: Seconds = _STEP) -> bool:
    """Whether no 1 s interval lies below 90 % of their median; False when there is no whole second."""
    seconds = whole_second_means(series, step=step)
    return bool(seconds) and min(seconds) >= STEADY_SHARE * statistics.median(seconds)


def whole_second_means(series: Sequence[BitsPerSecond], *, step: Seconds = _STEP) -> tuple[BitsPerSecond, ...]:
    """The mean of each whole second, in order."""
    return tuple(map(statistics.fmean, _batches(series, round(1 / step))))


def pooled(runs: Sequence[Estimate]) -> Estimate:
    """The median of independent runs, and the 95 % interval of what they have in common; of one run, its own.

    A run counts by how sure it is, unless the runs differ by more than that: then they count alike (random effects,
    DerSimonian and Laird 1986). The interval is the larger of theirs and of Knapp and Hartung's (2003).
    """
    if len(runs) == 1:
        return runs[0]
    rates = [run.median for run in runs]
    own = [max((run.ci_high - run.ci_low) / 2, LEAST_HALF_WIDTH * run.median, 1.0) / _NORMAL for run in runs]
    between = _between(rates, own)
    mean, weights = _weighted(rates, [width**2 + between for width in own])
    freedom, error = len(runs) - 1, 1 / math.sqrt(sum(weights))
    seen = student_t(freedom) * error * math.sqrt(_squares(rates, mean, weights) / freedom)
    half_width = max(seen, _NORMAL * error, LEAST_HALF_WIDTH * mean)
    middle = statistics.median(rates)
    low, high = min(mean - half_width, middle), max(mean + half_width, middle)
    return Estimate(n=len(runs), median=middle, ci_low=max(0.0, low), ci_high=high)


def _between(rates: Sequence[float], own: Sequence[float]) -> float:
    """The variance between runs beyond their own uncertainty."""
    mean, weights = _weighted(rates, [width**2 for width in own])
    excess = _squares(rates, mean, weights) - (len(rates) - 1)
    others = [sum(weights[:place] + weights[place + 1 :]) for place in range(len(weights))]
    scale: float = sum(map(mul, weights, others)) / sum(weights)  # not their difference, which is 0 when one weighs all
    return max(0.0, excess / scale)


def _weighted(rates: Sequence[float], variances: Sequence[float]) -> tuple[float, list[float]]:
    weights = [1 / variance for variance in variances]
    return sum(map(mul, weights, rates)) / sum(weights), weights


def _squares(rates: Sequence[float], mean: float, weights: Sequence[float]) -> float:
    return sum(weight * (rate - mean) ** 2 for weight, rate in zip(weights, rates, strict=True))


def truncation(series: Sequence[float], *, batch: int = _BATCH) -> int:
    """How many samples of warm-up to leave out, by MSER-5 over the first half (White, Cobb and Spratt 2000)."""
    means = [statistics.fmean(part) for part in _batches(series, batch)]
    suffixes: list[tuple[float, int]] = []
    total = squares = 0.0
    centre = statistics.fmean(means) if means else 0.0  # keeps the squares small
    for first in range(len(means) - 1, -1, -1):
        total += means[first] - centre
        squares += (means[first] - centre) ** 2
        left = len(means) - first
        if first <= len(means) // 2 and left >= 4:  # noqa: PLR2004 - fewer batches have no spread to speak of
            suffixes.append((max(0.0, squares - total**2 / left) / left**2, first))
    return min(suffixes)[1] * batch if suffixes else 0


def correlation_time(series: Sequence[float]) -> float:
    """The integrated autocorrelation time in samples, by Sokal's self-consistent window; 1 for independent ones."""
    deviations = _deviations(series)
    time = 1.0
    for lag in range(1, len(series) // 3):
        time += 2 * _autocorrelation(deviations, lag)
        if lag >= 5 * max(time, 1.0):
            break
    return max(time, 1.0)


def half_width(series: Sequence[float]) -> float:
    """Half the 95 % interval of the mean: the larger of batch means and the autocorrelation-time formula."""
    if len(series) < _LEAST_BATCHES:
        return math.inf
    effective = len(series) / correlation_time(series)
    by_time = student_t(int(effective) - 1) * statistics.stdev(series) / math.sqrt(effective)
    return max(by_time, *_batch_half_widths(series))


def _batch_half_widths(series: Sequence[float]) -> Iterator[float]:
    """By batches of 1, 2, 4, ... samples, until the batches look independent."""
    size = 1
    while len(series) // size >= _LEAST_BATCHES:
        means = [statistics.fmean(batch) for batch in _batches(series[len(series) % size :], size)]
        count = len(means)
        yield student_t(count - 1) * statistics.stdev(means) / math.sqrt(count)
        if size > 1 and abs(_autocorrelation(_deviations(means), 1)) < 2 / math.sqrt(count):
            return
        size *= 2


def _batches(series: Sequence[float], size: int) -> Iterator[Sequence[float]]:
    return (series[first : first + size] for first in range(0, len(series) - size + 1, size))


def _deviations(series: Sequence[float]) -> list[float]:
    mean = statistics.fmean(series) if series else 0.0
    return [value - mean for value in series]


def _autocorrelation(deviations: Sequence[float], lag: int) -> float:
    variance = sum(map(mul, deviations, deviations))
    return sum(map(mul, deviations, deviations[lag:])) / variance if variance > 0 else 0.0


@functools.cache
def student_t(freedom: int) -> float:
    """The two-sided 95 % quantile of Student's t; below 1 degree of freedom that of 1, above 500 that of 500."""
    freedom = min(max(freedom, 1), 500)
    low, high = 0.0, math.pi / 2  # of the angle whose tangent is t / sqrt(freedom)
    for _ in range(50):
        angle = (low + high) / 2
        low, high = (angle, high) if _within(angle, freedom) < 0.95 else (low, angle)  # noqa: PLR2004 - the confidence
    return math.tan(low) * math.sqrt(freedom)


def _within(angle: float, freedom: int) -> float:
    """The probability of |t| <= tan(angle) * sqrt(freedom): Abramowitz and Stegun 26.7.3 and 26.7.4."""
    cosine, odd = math.cos(angle), freedom % 2
    term = cosine if odd else 1.0
    total = 0.0 if freedom == 1 else term
    for power in range(2 + odd, freedom - 1, 2):
        term *= cosine**2 * (power - 1) / power
        total += term
    sine = math.sin(angle)
    return 2 / math.pi * (angle + sine * total) if odd else sine * total
