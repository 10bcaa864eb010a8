"""Whether one of two tests in turn is faster: by the ratio of each pair, and failing closed."""

import math
import random

import pytest

from fullrate.measure.compare import compare, comparisons
from fullrate.records.ends import Direction
from fullrate.records.measurement import Measurement
from fullrate.records.numbers import Outcome
from fullrate.records.trial import Estimate, Trial
from iperf3_recorded import FORWARD

BASE = [9.0e8, 5.0e8, 7.0e8, 8.0e8]  # of a machine whose speed swings
NONE, FASTER, SLOWER = Outcome.NO_DIFFERENCE, Outcome.FASTER, Outcome.SLOWER


@pytest.mark.parametrize(
    ("factors", "outcome"),
    [
        ((1.20, 1.21, 1.19, 1.20), FASTER),
        ((0.80, 0.81, 0.79, 0.80), SLOWER),
        ((1.001, 1.001, 1.001, 1.001), NONE),  # no more than a rate may be off by itself
        ((1.20, 0.85, 1.10, 0.90), NONE),
        ((1.5, 1.5), NONE),  # too few
    ],
)
def test_outcome(factors: tuple[float, ...], outcome: Outcome) -> None:
    """What disturbs both of a pair is no difference between them."""
    ratio, low, high, found = compare(BASE, [one * factor for one, factor in zip(BASE, factors, strict=False)])
    assert outcome is found
    assert low <= ratio <= high


def test_too_few_pairs_have_no_interval() -> None:
    """Nothing can be said of two."""
    assert (0.0, math.inf) == compare([1.0, 1.0], [2.0, 2.0])[1:3]


def test_without_a_pair() -> None:
    """A test that never gave a rate."""
    assert (1.0, 0.0, math.inf, NONE) == compare([], [1e9])


def test_equal_tests_are_seldom_called_different() -> None:
    """Of 1000 comparisons of ten noisy pairs at most 7 in 100: a nominal 5 %."""
    chance = random.Random(5)  # noqa: S311 - made-up noise

    def noisy() -> list[float]:
        return [1e9 * math.exp(chance.gauss(0, 0.05)) for _ in range(10)]

    assert sum(compare(noisy(), noisy())[3] is not NONE for _ in range(1000)) <= 70


def measured(name: str, *trials: str, direction: Direction = Direction.NEAR_TO_FAR) -> Measurement:
    """A measurement of these trials."""
    rate = Estimate(n=len(trials), median=1e9, ci_low=1e9, ci_high=1e9)
    return Measurement(
        id=name,
        kind="bulk",
        direction=direction,
        protocol="tcp",
        streams=1,
        trials=trials,
        throughput_bps=rate,
        ceiling_bps=None,
    )


def trial(name: str, rate: float | None) -> Trial:
    """A trial of that rate, or one that failed."""
    found = None if rate is None else Estimate(n=1, median=rate, ci_low=rate, ci_high=rate)
    return Trial(id=name, spec=FORWARD, throughput=found)


def test_each_later_one_is_compared_with_the_first_of_its_way() -> None:
    """One that was made twice only is compared with nothing."""
    rates = {"a1": 1e9, "a2": 1e9, "a3": 1e9, "b1": 2e9, "b2": 2e9, "b3": 2e9, "c1": 1e9, "c2": 1e9}
    out = [measured("m1", "a1", "a2", "a3"), measured("m2", "b1", "b2", "b3"), measured("m3", "c1", "c2")]
    back = measured("m4", "a1", "a2", "a3", direction=Direction.FAR_TO_NEAR)
    (found,) = comparisons([*out, back], [trial(name, rate) for name, rate in rates.items()])
    assert ("m1", "m2", 3, FASTER) == (found.base, found.other, found.pairs, found.outcome)
    assert pytest.approx(2.0) == found.ratio
