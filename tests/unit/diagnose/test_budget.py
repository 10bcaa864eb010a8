"""Where the missing rate goes."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fullrate.diagnose.budget import budget
from fullrate.records.finding import Finding, Judgement
from fullrate.records.measurement import Measurement
from fullrate.records.run import UNEXPLAINED, BudgetPart
from unit.diagnose.making import BACK, CEILING, OUT, both, finding, judged, measured

# Whole bits: their sums are exact.
COSTS = st.lists(st.integers(min_value=-(10**9), max_value=2 * 10**9), max_size=6)
RATES = st.integers(min_value=0, max_value=2 * 10**9)


def parts(rate: float, *findings: Finding) -> list[tuple[str | None, float]]:
    """The near-to-far parts by cause when this rate was measured."""
    return [(part.cause, part.bps) for part in budget((measured(OUT, rate),), judged(*findings))]


def problems(costs: list[int]) -> list[Finding]:
    """Problems with these costs, the dearest first, as the judge ranks them."""
    return [finding("offload-off", costs=float(cost)) for cost in sorted(costs, reverse=True)]


@given(RATES, COSTS)
def test_parts_sum_to_the_missing_rate(rate: int, costs: list[int]) -> None:
    """max(0, ceiling - measured), whatever was found."""
    assert max(0.0, CEILING - rate) == sum(bps for _, bps in parts(rate, *problems(costs)))


@given(st.floats(min_value=0, max_value=2e9), st.lists(st.floats(min_value=0, max_value=2e9), max_size=6))
def test_parts_of_any_rate_sum_to_the_missing_rate(rate: float, costs: list[float]) -> None:
    """The same with fractions of bits, to within a thousandth of one."""
    found = parts(rate, *(finding("offload-off", costs=cost) for cost in costs))
    assert math.isclose(max(0.0, CEILING - rate), sum(bps for _, bps in found), abs_tol=1e-3)


@given(RATES, COSTS)
def test_no_part_is_negative(rate: int, costs: list[int]) -> None:
    """A cause costs something or is no part; what is left over is never below zero."""
    assert all(bps >= 0 for _, bps in parts(rate, *problems(costs)))


@given(RATES, COSTS)
def test_the_last_part_is_the_unexplained_one(rate: int, costs: list[int]) -> None:
    """It is always told, also when it is zero."""
    found = budget((measured(OUT, rate),), judged(*problems(costs)))
    assert [UNEXPLAINED] == [part.stage for part in found if part.cause is None] == [found[-1].stage]


def test_costs_are_given_as_estimated() -> None:
    """What fits into the gap is told unchanged."""
    found = parts(500e6, finding("tc-shaper", costs=300e6), finding("offload-off", costs=50e6))
    assert [("tc-shaper", 300e6), ("offload-off", 50e6), (None, 150e6)] == found


def test_costs_beyond_the_gap_are_cut_in_rank_order() -> None:
    """The slower of two limits hides the other."""
    found = parts(
        500e6,
        finding("tc-shaper", costs=400e6),
        finding("offload-off", costs=300e6),
        finding("path-loss", costs=200e6),
    )
    assert [("tc-shaper", 400e6), ("offload-off", 100e6), (None, 0.0)] == found


def test_infinite_cost_takes_the_gap() -> None:
    """A cause that stops everything explains everything."""
    assert [("path-loss", 500e6), (None, 0.0)] == parts(500e6, finding("path-loss", costs=math.inf))


@pytest.mark.parametrize(
    "other",
    [
        pytest.param(finding("offload-off", costs=0.0), id="no cost"),
        pytest.param(finding("offload-off", costs=math.nan), id="no number"),
        pytest.param(finding("offload-off", direction=BACK, costs=1e8), id="other direction"),
        pytest.param(finding("offload-off", Judgement.CLEAR, costs=1e8), id="clear"),
        pytest.param(finding("offload-off", Judgement.UNKNOWN, costs=1e8), id="unknown"),
        pytest.param(finding("link-filled", costs=1e8), id="link filled"),
    ],
)
def test_only_priced_problems_of_the_direction_are_parts(other: Finding) -> None:
    """Everything else explains none of the missing rate."""
    assert [(None, 500e6)] == parts(500e6, other)


def test_problem_of_the_whole_run_counts_in_each_direction() -> None:
    """A CPU quota slows both."""
    found = budget(both(500e6, 700e6), judged(finding("cpu-quota", direction=None, costs=400e6)))
    assert [(OUT, 400e6), (OUT, 100e6), (BACK, 300e6), (BACK, 0.0)] == [(part.direction, part.bps) for part in found]


def test_part_names_the_stage_of_its_cause() -> None:
    """The bar chart is labelled by stage and cause."""
    found = budget((measured(OUT, 500e6),), judged(finding("tc-shaper", costs=1e8)))
    assert BudgetPart(direction=OUT, stage="qdisc", cause="tc-shaper", bps=1e8) == found[0]


@pytest.mark.parametrize(
    "measurement",
    [
        pytest.param(measured(OUT, None, failure="refused"), id="failed"),
        pytest.param(measured(OUT, 500e6, ceiling=None), id="no ceiling"),
    ],
)
def test_no_budget_without_rate_and_ceiling(measurement: Measurement) -> None:
    """There is no gap to divide."""
    assert () == budget((measurement,), judged(finding("tc-shaper", costs=1e8)))
