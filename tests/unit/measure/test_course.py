"""The course of trials in few steps."""

from dataclasses import replace

import pytest

from bundled import golden
from fullrate.measure.course import MOST_STEPS, Course, course
from fullrate.records.ends import Direction
from fullrate.records.trial import Sample, Trial, TrialKind, TrialSpec

SPEC = TrialSpec(kind=TrialKind.BULK, direction=Direction.NEAR_TO_FAR)


def trial(*rates: float | None, warm_up: float = 0.0, start: float = 1000.0) -> Trial:
    """A trial of tenths of a second; None is a gap."""
    series = [
        Sample(at=start + (number + 1) / 10, seconds=0.1, throughput=rate)
        for number, rate in enumerate(rates)
        if rate is not None
    ]
    return Trial(id="t1", spec=SPEC, series=tuple(series), warm_up=warm_up)


def test_half_seconds() -> None:
    """Of a short trial, the mean of each."""
    assert Course(step=0.5, runs=((3.0, 7.0),)) == course([trial(1, 2, 3, 4, 5, 7, 7, 7, 7, 7)])


def test_the_warm_up_is_left_out() -> None:
    """As it is of the rate: the steps begin behind it."""
    assert Course(step=0.5, runs=((9.0, 9.0),)) == course([trial(1, 1, 1, *[9] * 10, warm_up=0.3)])


def test_a_last_step_that_is_filled_in_part_is_left_out() -> None:
    """Unless half of it is there."""
    assert Course(step=0.5, runs=((5.0, 5.0),)) == course([trial(*[5] * 12)])
    assert Course(step=0.5, runs=((5.0, 5.0, 5.0),)) == course([trial(*[5] * 13)])


def test_a_gap_is_no_zero() -> None:
    """A step of which too little was seen is not known; a silent one is zero."""
    assert ((5.0, None, 0.0, 5.0),) == course([trial(*[5] * 5, *[None] * 5, *[0] * 5, *[5] * 5)]).runs


def test_each_run_by_itself() -> None:
    """One without a series has no course."""
    found = course([trial(*[1] * 10), trial(), trial(*[2] * 10)])
    assert Course(step=0.5, runs=((1.0, 1.0), (2.0, 2.0))) == found


@pytest.mark.parametrize(
    ("seconds", "runs", "expected"),
    [(20, 1, 0.5), (21, 1, 1.0), (7, 3, 1.0), (40, 1, 1.0), (60, 1, 2.0), (3600, 1, 120.0)],
)
def test_never_more_steps_than_a_line_holds(seconds: int, runs: int, expected: float) -> None:
    """They become longer instead, alike for all runs."""
    found = course([trial(*[1.0] * seconds * 10)] * runs)
    assert expected == found.step
    assert sum(map(len, found.runs)) <= MOST_STEPS


def test_nothing_to_show() -> None:
    """No trial, or only totals."""
    assert Course() == course([]) == course([trial()])


def test_one_step_is_no_course() -> None:
    """It says what the rate says."""
    assert Course() == course([trial(*[1] * 7)])


def test_a_step_is_no_shorter_than_a_sample() -> None:
    """A program that tells a figure a second has steps of a second, though its seconds are not quite ones."""
    series = tuple(Sample(at=number * 0.99, seconds=0.99, throughput=5.0) for number in range(1, 11))
    assert (1.0, ((5.0,) * 10,)) == ((found := course([replace(trial(), series=series)])).step, found.runs)


@pytest.mark.parametrize("name", ["healthy", "netfilter-drop", "cpu-quota"])
def test_recorded_runs(name: str) -> None:
    """Their document holds it, and its mean is about the rate."""
    _, run = golden(name)
    for one in run.measurements:
        assert one.throughput_bps is not None
        (rates,) = one.series_bps
        known = [rate for rate in rates if rate is not None]
        assert len(rates) == pytest.approx((one.seconds - one.warm_up_seconds) / 0.5, abs=1)
        assert one.throughput_bps.median == pytest.approx(sum(known) / len(known), rel=0.03)


def test_clocks_of_any_size() -> None:
    """A host that runs for years has large numbers on its clock."""
    assert course([replace(trial(*[5] * 20, start=1e8))]).runs == ((5.0,) * 4,)
