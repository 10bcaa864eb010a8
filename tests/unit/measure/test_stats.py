"""The statistics against scipy, numpy and series whose truth is known."""

import math
import statistics
from collections.abc import Sequence

import numpy as np
import pytest
import scipy.special
from numpy.typing import NDArray

from fullrate.measure import stats
from fullrate.measure.stats import Side
from fullrate.records.trial import Estimate

Floats = NDArray[np.float64]
SECONDS = 30
REPLICATES = 12


def noisy(seed: int, *, spread: float, lag_one: float = 0.5, warm_up: bool = False, seconds: int = SECONDS) -> Floats:
    """AR(1) noise around 1, sampled ten times a second; the warm-up starts at 0.2 with a time constant of 1.5 s."""
    rng = np.random.default_rng(seed)
    count, before = seconds * 10, 50
    shocks = rng.normal(size=count + before) * spread * math.sqrt(1 - lag_one**2)
    noise = np.zeros(count + before)
    for now in range(1, count + before):
        noise[now] = lag_one * noise[now - 1] + shocks[now]
    missing = 0.8 * np.exp(-np.arange(count) / 15) if warm_up else np.zeros(count)
    return np.asarray(1 + noise[before:] - missing)


def floats(series: Floats) -> list[float]:
    """The series as the module takes it."""
    return [float(value) for value in series]


def stopped_mean(series: list[float], *, target: float = 0.02) -> float | None:
    """The mean when the stopping rule was first satisfied; None when it never was."""
    for count in range(30, len(series) + 1, 5):
        if stats.settled(series[:count], target=target):
            return stats.look(series[:count]).mean
    return None


# Student's t


@pytest.mark.parametrize("freedom", [1, 2, 3, 4, 5, 6, 7, 8, 13, 29, 30, 59, 100, 299, 499, 500])
def test_student_t_is_scipys(freedom: int) -> None:
    """The quantile is scipy's, to ten digits."""
    assert float(scipy.special.stdtrit(freedom, 0.975)) == pytest.approx(stats.student_t(freedom), rel=1e-10)


@pytest.mark.parametrize("freedom", [0, -1])
def test_student_t_of_no_freedom_is_that_of_one(freedom: int) -> None:
    """Below one degree of freedom the widest quantile stands."""
    assert stats.student_t(1) == stats.student_t(freedom)


def test_student_t_of_many_is_that_of_500() -> None:
    """A very long series gets a quantile that is a quarter of a per cent too wide, never too narrow."""
    assert stats.student_t(500) == stats.student_t(36_000)


# Truncation


def _mser5(series: Floats) -> int:
    """The textbook form, by numpy."""
    means = series[: len(series) // 5 * 5].reshape(-1, 5).mean(axis=1)
    tails = [means[first:] for first in range(len(means) // 2 + 1) if len(means) - first >= 4]
    errors = [float(((tail - tail.mean()) ** 2).sum() / len(tail) ** 2) for tail in tails]
    return int(np.argmin(errors)) * 5


@pytest.mark.parametrize("seconds", [3, 7, 30])
@pytest.mark.parametrize("warm_up", [True, False])
def test_truncation_is_mser5(seconds: int, warm_up: bool) -> None:  # noqa: FBT001 - a parameter of the test
    """The truncation point is that of the plain formula."""
    series = noisy(seconds, spread=0.05, warm_up=warm_up, seconds=seconds)
    assert _mser5(series) == stats.truncation(floats(series))


def test_warm_up_is_left_out() -> None:
    """A warm-up of three time constants is cut off, so that the mean is right within 2 %."""
    one = stats.look(floats(noisy(1, spread=0.01, warm_up=True)))
    assert one.warm_up_samples >= 40
    assert 1 == pytest.approx(one.mean, abs=0.02)


def test_a_constant_series_has_no_warm_up() -> None:
    """Where nothing is gained nothing is cut off."""
    assert 0 == stats.truncation([5.0] * 100)


@pytest.mark.parametrize("count", [0, 1, 19])
def test_too_few_samples_are_not_truncated(count: int) -> None:
    """Fewer than four batches of five have no spread to speak of."""
    assert 0 == stats.truncation([float(value) for value in range(count)])


# Autocorrelation time


def _correlation_time(series: Floats) -> float:
    """Sokal's window, by numpy."""
    centred = series - series.mean()
    time = 1.0
    for lag in range(1, len(series) // 3):
        time += 2 * float((centred[:-lag] * centred[lag:]).sum() / (centred**2).sum())
        if lag >= 5 * max(time, 1.0):
            break
    return max(time, 1.0)


@pytest.mark.parametrize("lag_one", [0.0, 0.5, 0.9])
def test_correlation_time_is_numpys(lag_one: float) -> None:
    """The integrated autocorrelation time is that of the plain formula."""
    series = noisy(4, spread=0.1, lag_one=lag_one)
    assert _correlation_time(series) == pytest.approx(stats.correlation_time(floats(series)))


def test_correlation_time_of_ar1() -> None:
    """Of AR(1) with coefficient one half it is (1 + 0.5) / (1 - 0.5) = 3 samples."""
    assert 3 == pytest.approx(stats.correlation_time(floats(noisy(5, spread=0.1, seconds=500))), rel=0.15)


@pytest.mark.parametrize("series", [[], [1.0], [2.0] * 50, [1.0, 2.0] * 50])
def test_correlation_time_is_at_least_one(series: list[float]) -> None:
    """Constant, alternating and empty series count every sample."""
    assert 1 == stats.correlation_time(series)


# Half width


def plain_half_width(values: Sequence[float]) -> float:
    """Of the 95 % t interval around a mean of independent values: numpy's standard error, scipy's quantile.

    scipy.stats has it whole, but takes a second to import.
    """
    error = np.std(values, ddof=1) / np.sqrt(len(values))
    return float(scipy.special.stdtrit(len(values) - 1, 0.975) * error)


def test_half_width_of_independent_samples_is_scipys() -> None:
    """Without autocorrelation it is near the plain t interval, and not below it."""
    series = floats(noisy(6, spread=0.1, lag_one=0))
    half = plain_half_width(series)
    assert half <= stats.half_width(series) < 2 * half


def test_half_width_grows_with_autocorrelation() -> None:
    """Correlated samples say less than as many independent ones."""
    alike, apart = (stats.half_width(floats(noisy(7, spread=0.1, lag_one=lag))) for lag in (0.9, 0.0))
    assert alike > 2 * apart


def test_half_width_is_never_below_that_of_plain_samples() -> None:
    """Batches that happen to agree do not narrow the interval."""
    series = [1.0, 2.0] * 50
    plain = stats.student_t(99) * statistics.stdev(series) / 10
    assert plain <= stats.half_width(series)


def test_half_width_of_too_few_samples_is_infinite() -> None:
    """Seven samples are no ground for an interval."""
    assert math.inf == stats.half_width([1.0, 2.0, 1.0, 2.0, 1.0, 2.0, 1.0])


# One look


def test_look_at_a_constant_series() -> None:
    """A constant series is known to the least half width, with every sample counting."""
    one = stats.look([1e9] * 40)
    assert (1e9, 0, 40) == (one.mean, one.warm_up_samples, one.effective_samples)
    assert 2e6 == pytest.approx(one.half_width)


def test_look_keeps_what_is_not_warm_up() -> None:
    """The kept time and the warm-up make the whole series."""
    one = stats.look(floats(noisy(8, spread=0.02, warm_up=True)))
    assert SECONDS == pytest.approx(one.kept + one.warm_up_samples * 0.1)


def test_look_at_nothing() -> None:
    """An empty series has no mean to speak of and an infinite half width."""
    assert (0, math.inf, 0) == (stats.look([]).mean, stats.look([]).half_width, stats.look([]).effective_samples)


def test_look_at_a_black_hole() -> None:
    """A series of zeros is a known zero."""
    one = stats.look([0.0] * 30)
    assert (0, 0, 30) == (one.mean, one.half_width, one.effective_samples)


def test_drift_is_between_the_halves() -> None:
    """The drift is the difference of the two halves' means."""
    assert 5 == pytest.approx(stats.look([100.0, 101.0] * 15 + [110.0, 111.0] * 5).drift)


# Threshold verdicts


@pytest.mark.parametrize(
    ("bar", "side"), [(0.9, Side.ABOVE), (0.95, Side.ABOVE), (1.05, Side.BELOW), (1.1, Side.BELOW)]
)
def test_sides_of_a_known_rate(bar: float, side: Side) -> None:
    """A rate-limited series lies on the right side of a bar 5 % away, whatever the seed."""
    series = [floats(noisy(seed, spread=0.02, seconds=8)) for seed in range(6)]
    assert {side} == {stats.decide(one, bar) for one in series}


def test_a_bar_at_the_rate_stays_open() -> None:
    """A constant rate exactly at the bar is on neither side."""
    assert Side.OPEN is stats.decide([1.0] * 100, 1.0)


def test_a_bar_within_the_least_half_width_stays_open() -> None:
    """Nothing is claimed finer than 0.2 %."""
    assert Side.OPEN is stats.decide([1.0] * 100, 0.999)


def test_a_bar_just_outside_the_least_half_width_decides() -> None:
    """Beyond 0.2 % a constant rate decides."""
    assert Side.ABOVE is stats.decide([1.0] * 100, 0.997)


@pytest.mark.parametrize(("count", "side"), [(39, Side.OPEN), (40, Side.ABOVE)])
def test_three_looks_are_needed(count: int, side: Side) -> None:
    """Looks at 3.0, 3.5 and 4.0 s decide, not earlier."""
    assert side is stats.decide([1.0] * count, 0.9)


@pytest.mark.parametrize(("count", "side"), [(109, Side.OPEN), (110, Side.ABOVE)])
def test_the_floor_is_a_parameter(count: int, side: Side) -> None:
    """With bbr's floor of 10 s the three looks end at 11 s."""
    assert side is stats.decide([1.0] * count, 0.9, floor=10)


@pytest.mark.parametrize("count", [0, 1, 8, 29])
def test_a_short_series_is_open(count: int) -> None:
    """Under 3 s nothing is decided."""
    assert Side.OPEN is stats.decide([1.0] * count, 0.5)


def test_a_black_hole_is_below() -> None:
    """Nothing at all for 4 s is below any bar."""
    assert Side.BELOW is stats.decide([0.0] * 40, 1e6)


def test_a_handshake_and_silence_is_below() -> None:
    """A few bytes at the start do not make a black hole undecided."""
    assert Side.BELOW is stats.decide([24_000.0] + [0.0] * 60, 1e8)


def test_too_few_effective_samples_stay_open() -> None:
    """A slow wave has few independent samples: no side, however far the bar."""
    wave = [1 + 0.3 * math.sin(now / 20) for now in range(40)]
    assert stats.look(wave).effective_samples < 8
    assert Side.OPEN is stats.decide(wave, 0.1)


def test_a_decision_stands() -> None:
    """What the first three looks decided is not changed by samples that come later."""
    assert Side.ABOVE is stats.decide([1.0] * 40 + [0.1] * 100, 0.9)


def test_disagreeing_looks_do_not_decide() -> None:
    """Two looks on one side before a fall do not add up to three."""
    assert Side.ABOVE is not stats.decide([1.0] * 35 + [0.1] * 10, 0.9)


def test_another_step() -> None:
    """Samples of one second are looked at on the same clock."""
    assert Side.ABOVE is stats.decide([1.0] * 10, 0.9, step=1.0, floor=8)


# The stopping rule


def test_a_constant_series_settles_at_four_seconds() -> None:
    """With 30 samples kept at 3 s, three looks end at 4 s."""
    assert (False, True) == (stats.settled([1.0] * 39), stats.settled([1.0] * 40))


def test_a_noisy_series_does_not_settle_early() -> None:
    """At 10 % spread and strong autocorrelation 6 s are not enough for 2 %."""
    assert not stats.settled(floats(noisy(9, spread=0.1, lag_one=0.9, seconds=6)))


def test_a_wider_target_settles_earlier() -> None:
    """6 s that do not settle at 2 % do at 30 %."""
    series = floats(noisy(9, spread=0.1, lag_one=0, seconds=6))
    assert (False, True) == (stats.settled(series), stats.settled(series, target=0.3))


@pytest.mark.parametrize(("drift", "expected"), [(0.039, True), (0.041, False)])
def test_a_drifting_series_does_not_settle(drift: float, expected: bool) -> None:  # noqa: FBT001 - a test's parameter
    """Halves that differ by more than twice the target keep the rule waiting."""
    one = stats.Look(mean=1, half_width=0.01, warm_up_samples=0, effective_samples=40, kept=4, drift=drift)
    assert expected is one.meets(0.02)


@pytest.mark.parametrize(("effective", "kept"), [(29.0, 4.0), (40.0, 1.9)])
def test_too_little_does_not_settle(effective: float, kept: float) -> None:
    """It takes 30 effective samples and 2 s of them."""
    one = stats.Look(mean=1, half_width=0.01, warm_up_samples=0, effective_samples=effective, kept=kept, drift=0)
    assert not one.meets(0.02)


def test_settled_is_once_and_for_all() -> None:
    """A series that had settled stays so, whatever its tail."""
    assert stats.settled([1.0] * 40 + [0.0, 2.0] * 20)


@pytest.mark.parametrize(
    ("spread", "warm_up", "least_within_2", "least_within_3"),
    [(0.02, False, 11, 12), (0.05, False, 8, 10), (0.02, True, 10, 12)],
)
def test_coverage_is_as_calibrated(
    spread: float,
    warm_up: bool,  # noqa: FBT001 - a parameter of the test
    least_within_2: int,
    least_within_3: int,
) -> None:
    """Of 12 series with a known mean of 1, stopped at +-2 %, about as many are right as were calibrated (80-100 %)."""
    found = [stopped_mean(floats(noisy(100 + seed, spread=spread, warm_up=warm_up))) for seed in range(REPLICATES)]
    errors = [abs(mean - 1) for mean in found if mean is not None]
    assert REPLICATES == len(errors)
    assert least_within_2 <= sum(error <= 0.02 for error in errors)
    assert least_within_3 <= sum(error <= 0.03 for error in errors)


def test_a_long_series_stays_cheap() -> None:
    """Looks come farther apart after 25 s: an hour's test has 301 in place of 7195."""
    assert 301 == sum(1 for _ in stats._look_points(36_000, floor=3, step=0.1))


def test_looks_come_every_half_second() -> None:
    """Up to 25 s a look comes every 0.5 s."""
    assert list(range(30, 251, 5)) == list(stats._look_points(250, floor=3, step=0.1))


# Steadiness


def test_whole_seconds() -> None:
    """Each whole second has its mean; an unfinished one is left out."""
    assert (1.0, 2.5) == stats.whole_second_means([1.0] * 10 + [2.0] * 5 + [3.0] * 5 + [9.0] * 9)


def test_a_noisy_rate_is_steady() -> None:
    """Noise of 5 % does not make a second fall below 90 % of the median."""
    assert stats.steady(floats(noisy(10, spread=0.05)))


def test_a_step_change_is_not_steady() -> None:
    """Half the rate for the last third is no steady rate."""
    assert not stats.steady([1.0] * 40 + [0.5] * 20)


@pytest.mark.parametrize(("level", "expected"), [(0.91, True), (0.89, False)])
def test_one_slow_second(level: float, expected: bool) -> None:  # noqa: FBT001 - a parameter of the test
    """One second decides: above 90 % of the median it is steady, below it is not."""
    assert expected is stats.steady([1.0] * 20 + [level] * 10 + [1.0] * 20)


@pytest.mark.parametrize("count", [0, 9])
def test_less_than_a_second_is_not_steady(count: int) -> None:
    """Without a whole second nothing was seen to be steady."""
    assert not stats.steady([1.0] * count)


# Between runs


def run(rate: float, half_width: float) -> Estimate:
    """One run's own estimate."""
    return Estimate(n=1, median=rate, ci_low=rate - half_width, ci_high=rate + half_width)


def test_runs_that_differ_have_scipys_interval() -> None:
    """By more than each is unsure of itself: the t interval around the mean."""
    means = [9.1e9, 9.4e9, 9.2e9, 9.3e9]
    low, high = (np.mean(means) + sign * plain_half_width(means) for sign in (-1, 1))
    found = stats.pooled([run(mean, 1e6) for mean in means])
    assert 4 == found.n
    assert [9.25e9, float(low), float(high)] == pytest.approx([found.median, found.ci_low, found.ci_high], rel=1e-4)


def test_runs_that_agree_count_by_how_sure_they_are() -> None:
    """Of 4.677 +-0.064, 4.645 +-0.124 and 4.701 +-0.015 Gbit/s the last tells most."""
    found = stats.pooled([run(4677e6, 64e6), run(4645e6, 124e6), run(4701e6, 15e6)])
    assert 4677e6 == found.median
    assert [4675e6, 4723e6] == pytest.approx([found.ci_low, found.ci_high], rel=5e-4)


def test_one_sure_run_does_not_outvote_two_that_differ() -> None:
    """They count alike: 677 on average, and nobody knows."""
    found = stats.pooled([run(930.0, 2.0), run(500.0, 100.0), run(600.0, 100.0)])
    assert 677.0 == pytest.approx((found.ci_low + found.ci_high) / 2, rel=0.02)
    assert 500.0 < found.ci_high - found.ci_low


def test_interval_holds_the_truth_as_often_as_it_says() -> None:
    """Three runs of 100, each with its own error: 95 of 100 times, at least."""
    draw = np.random.default_rng(7)
    hits = 0
    for _ in range(400):
        errors = draw.uniform(0.5, 5.0, 3)
        found = stats.pooled(
            [run(float(100 + error * draw.standard_normal()), 1.96 * float(error)) for error in errors]
        )
        hits += found.ci_low <= 100 <= found.ci_high
    assert 380 <= hits


def test_one_run_has_its_own_half_width() -> None:
    """Of one run the interval is the one from within it."""
    assert run(100.0, 7.0) == stats.pooled([run(100.0, 7.0)])


def test_runs_that_agree_too_well() -> None:
    """Equal runs still have the least half width."""
    found = stats.pooled([run(1000.0, 0.0)] * 3)
    assert [998.0, 1002.0] == pytest.approx([found.ci_low, found.ci_high])


def test_the_interval_holds_the_median() -> None:
    """Where one run of many is far off, the interval reaches to the median."""
    found = stats.pooled([run(rate, 0.01) for rate in [1.0] * 30 + [2.0] * 29])
    assert found.ci_low <= found.median <= found.ci_high


def test_no_interval_goes_below_zero() -> None:
    """A rate is never negative."""
    assert 0 == stats.pooled([run(1e6, 1e3), run(5e6, 1e3)]).ci_low


def test_a_run_without_anything_is_pooled_with_a_fast_one() -> None:
    """What is sure to the bit must not hide that they differ."""
    found = stats.pooled([run(0.0, 0.0), run(5.66e9, 0.0)])
    assert (0.0, 2.83e9) == pytest.approx((found.ci_low, found.median))
