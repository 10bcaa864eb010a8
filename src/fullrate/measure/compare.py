"""Whether one of two tests that were run in turn is faster. Pure.

The ratio of each pair of runs, side by side, is free of what disturbs both; its logarithms' mean and Student's t give
the interval. It fails closed: with fewer than three pairs, or a difference that is no larger than what a rate may be
off by itself, no difference is shown.
"""

import math
import statistics
from collections.abc import Sequence

from fullrate.measure.stats import LEAST_HALF_WIDTH, student_t
from fullrate.records.measurement import Measurement
from fullrate.records.numbers import Comparison, Outcome
from fullrate.records.trial import Trial
from fullrate.records.units import BitsPerSecond

_FEWEST = 3  # pairs


def compare(base: Sequence[BitsPerSecond], other: Sequence[BitsPerSecond]) -> tuple[float, float, float, Outcome]:
    """The other's rate over the base's: ratio, interval, what it shows. Pairs beyond the shorter one are left out."""
    logs = [math.log(two / one) for one, two in zip(base, other, strict=False) if one > 0 and two > 0]
    if not logs:
        return 1.0, 0.0, math.inf, Outcome.NO_DIFFERENCE
    mean = statistics.fmean(logs)
    if len(logs) < _FEWEST:
        return math.exp(mean), 0.0, math.inf, Outcome.NO_DIFFERENCE
    spread = student_t(len(logs) - 1) * statistics.stdev(logs) / math.sqrt(len(logs))
    half = max(spread, LEAST_HALF_WIDTH)
    return math.exp(mean), math.exp(mean - half), math.exp(mean + half), _outcome(mean, half)


def _outcome(mean: float, half: float) -> Outcome:
    if abs(mean) <= half:
        return Outcome.NO_DIFFERENCE
    return Outcome.FASTER if mean > 0 else Outcome.SLOWER


def comparisons(measurements: Sequence[Measurement], trials: Sequence[Trial]) -> tuple[Comparison, ...]:
    """Every later measurement with the first one of its direction that is repeated, run by run."""
    rates = {one.id: one.throughput.median for one in trials if one.throughput is not None}
    found: list[Comparison] = []
    for place, one in enumerate(measurements):
        base = next((first for first in measurements[:place] if _comparable(first, one)), None)
        if base is not None and not one.search:
            pairs = [[rates[name] for name in each.trials if name in rates] for each in (base, one)]
            ratio, low, high, outcome = compare(*pairs)
            found.append(
                Comparison(
                    base=base.id,
                    other=one.id,
                    pairs=min(map(len, pairs)),
                    ratio=ratio,
                    ci_low=low,
                    ci_high=high,
                    outcome=outcome,
                )
            )
    return tuple(found)


def _comparable(one: Measurement, other: Measurement) -> bool:
    """Whether both are rates of one direction that were measured as often as a comparison needs."""
    enough = min(len(one.trials), len(other.trials)) >= _FEWEST
    return one.direction is other.direction and enough and None not in {one.throughput_bps, other.throughput_bps}
