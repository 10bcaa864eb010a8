"""Repeated measurements: which are pairs, and what a document says of each direction."""

import json

import pytest
from bench._repeats import WAYS, Way, estimates, pairs, widths
from bench.aa import drawn
from bench.coverage import judge

from fullrate.records.ends import Direction
from fullrate.records.trial import Estimate


def way(*rates: float) -> Way:
    """A direction in which these rates were measured."""
    made = tuple(Estimate(n=1, median=rate, ci_low=rate - 1, ci_high=rate + 1) for rate in rates)
    return Way(long_run=100.0, estimates=made)


def test_every_run_is_in_one_pair() -> None:
    """A run used twice would make two pairs that lie together; an odd last one is left out."""
    assert [(1, 2), (3, 4)] == [(one.median, other.median) for one, other in pairs(way(1, 2, 3, 4, 5), 1)]


def test_several_runs_a_side_are_made_in_turns() -> None:
    """1, 3, 5 against 2, 4, 6: what drifts is on both sides. Too few for a pair are left out."""
    ((one, other),) = pairs(way(1, 2, 3, 4, 5, 6, 7, 8), 3)
    assert (3, 3, 4, 3) == (one.median, one.n, other.median, other.n)


def test_a_drawn_pair_is_of_runs_of_one_direction() -> None:
    """Directions may differ, and a run never differs from itself."""
    found = drawn((way(1, 2, 3), way(11, 12, 13)), 1, 200)
    assert 200 == len(found)
    assert all(one is not other and (one.median > 10) is (other.median > 10) for one, other in found)


def test_estimates_are_read_by_direction() -> None:
    """Both, with their intervals."""
    document = {
        "measurements": [
            {"direction": str(direction), "throughput_bps": {"n": 1, "median": rate, "ci_low": 1.0, "ci_high": 9.0}}
            for direction, rate in zip(WAYS, (4.0, 5.0), strict=True)
        ]
    }
    assert 5.0 == estimates(json.dumps(document))[Direction.FAR_TO_NEAR].median


def test_a_run_without_a_direction_ends_the_bench() -> None:
    """With what it said instead."""
    document = {"measurements": [{"direction": "near_to_far", "throughput_bps": None}], "verdict": {"summary": "lost"}}
    with pytest.raises(SystemExit, match="lost"):
        estimates(json.dumps(document))


def test_widths_are_relative() -> None:
    """1 of 50, 100 and 200: the middle one is 1 %."""
    assert pytest.approx(0.01) == widths([way(50.0, 100.0), way(200.0)])


def test_coverage_is_judged_by_all_directions(capsys: pytest.CaptureFixture[str]) -> None:
    """A tenth may miss: 9 of 10 keep the bar, 8 do not; each way is told with its own rate."""
    ways = (way(100, 100, 100, 100, 104), way(50, 50, 50, 50, 50))
    assert judge(ways, [100.0, 50.0], "the rate")
    assert "9 of 10 (4 of 5, 5 of 5)" in capsys.readouterr().out
    assert not judge((ways[0], way(50, 50, 50, 50, 53)), [100.0, 50.0], "the rate")
