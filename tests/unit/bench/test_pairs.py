"""The arithmetic of the bench: ratios of pairs, false claims, coverage."""

import math

import pytest
from bench._pairs import Ratio, apart, covers, differ, error, ratio, spread

from fullrate.records.trial import Estimate


def estimate(middle: float, half: float) -> Estimate:
    """A measurement of that rate, good to that half width."""
    return Estimate(n=1, median=middle, ci_low=middle - half, ci_high=middle + half)


def test_a_ratio_is_the_geometric_mean_of_its_pairs() -> None:
    """Twice as much and half as much cancel out."""
    assert pytest.approx(1.0) == ratio([20.0, 5.0], [10.0, 10.0]).middle


def test_a_ratio_has_the_t_interval_of_its_logarithms() -> None:
    """With logs 0, 0.1 and 0.2: mean 0.1, standard error 0.1/sqrt(3), t of 2 degrees of freedom 4.303."""
    found = ratio([1.0, math.exp(0.1), math.exp(0.2)], [1.0, 1.0, 1.0])
    half = 4.303 * 0.1 / math.sqrt(3)
    assert pytest.approx((math.exp(0.1 - half), math.exp(0.1 + half)), rel=1e-4) == (found.low, found.high)
    assert found.pairs == 3


def test_a_ratio_is_paired() -> None:
    """A machine that is slow for a whole round changes nothing: its pairs have the same ratio."""
    found = ratio([9.0, 90.0, 900.0], [10.0, 100.0, 1000.0])
    assert pytest.approx((0.9, 0.9)) == (found.low, found.high)


def test_pairs_are_whole() -> None:
    """A turn without a partner is a mistake, not left out."""
    with pytest.raises(ValueError, match="shorter"):
        ratio([1.0, 2.0, 3.0], [1.0, 2.0])


@pytest.mark.parametrize(("low", "high", "equal"), [(0.9, 1.1, True), (0.8, 0.99, False), (1.01, 1.2, False)])
def test_equal_is_shown_by_an_interval_around_one(low: float, high: float, *, equal: bool) -> None:
    """On either side of it the two differ."""
    assert Ratio(pairs=3, middle=(low + high) / 2, low=low, high=high).shows_equal is equal


def test_a_ratio_reads_as_in_the_tables() -> None:
    """Middle, interval, n."""
    assert "1.012 (0.950 to 1.080, 20 pairs)" == str(Ratio(pairs=20, middle=1.0123, low=0.9501, high=1.0799))


def test_the_error_has_a_floor() -> None:
    """0.2 % of the rate, for none below it is printed."""
    assert pytest.approx(2.0) == error(estimate(1000.0, 0.5))
    assert pytest.approx(7.0) == error(estimate(1000.0, 7.0))


@pytest.mark.parametrize(("truth", "held"), [(1009.0, True), (991.0, True), (1011.0, False), (989.0, False)])
def test_an_interval_covers_what_lies_in_it(truth: float, *, held: bool) -> None:
    """Both ways from the middle."""
    assert covers(estimate(1000.0, 10.0), truth) is held


@pytest.mark.parametrize(
    ("other", "claimed", "coarsely"), [(1013.0, False, False), (1016.0, True, False), (1021.0, True, True)]
)
def test_a_difference_is_claimed_beyond_both_errors(other: float, *, claimed: bool, coarsely: bool) -> None:
    """Independent errors add as squares: 10 and 10 make 14.1. Intervals lie apart from 20 on."""
    pair = estimate(1000.0, 10.0), estimate(other, 10.0)
    assert differ(*pair) is differ(*reversed(pair)) is claimed
    assert apart(*pair) is apart(*reversed(pair)) is coarsely


def test_spread_is_relative() -> None:
    """The standard deviation of 9, 10 and 11 is 1: a tenth of their mean."""
    assert pytest.approx(0.1) == spread(iter((9.0, 10.0, 11.0)))
