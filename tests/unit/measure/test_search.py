"""The search for the highest rate of UDP that loses nothing."""

from collections.abc import Callable

import pytest

from fullrate.measure.search import Tried, capacities, next_rate
from fullrate.records.ends import Direction
from fullrate.records.measurement import Measurement
from fullrate.records.trial import Estimate

TOP = 1e9


def tried(rate: float, arrived: float | None, lost: float = 0.0) -> Tried:
    """One rate and what came of it."""
    return Tried(rate=rate, arrived=arrived, lost=lost)


def network(limit: float) -> Callable[[float], Tried]:
    """A path that lets so much pass and discards the rest."""
    return lambda rate: tried(rate, min(rate, limit), max(0.0, 1 - limit / rate))


def searched(path: Callable[[float], Tried], top: float = TOP) -> list[Tried]:
    """All rates that a search tries."""
    made: list[Tried] = []
    while (rate := next_rate(made, top)) is not None:
        made.append(path(rate))
    return made


@pytest.mark.parametrize("limit", [1e9, 957e6, 500e6, 90e6, 3e6])
def test_a_limit_is_found(limit: float) -> None:
    """Within 5 %, and with few tests."""
    made = searched(network(limit))
    assert 0.95 * limit <= max(one.rate for one in made if one.good) <= limit
    assert len(made) <= 7


def test_all_that_is_asked_arrives() -> None:
    """One test tells."""
    assert [TOP] == [one.rate for one in searched(network(2e9))]


def test_a_sender_that_is_too_slow_is_no_success() -> None:
    """What it could not send did not arrive; what it can send is found."""
    made = searched(lambda rate: tried(rate, min(rate, 4e8)))
    assert 3.8e8 <= max(one.rate for one in made if one.good) <= 4.1e8


def test_a_collapse_is_left_downwards() -> None:
    """A receiver that is drowned by too much takes what is less."""
    made = searched(lambda rate: tried(rate, rate if rate <= 5e8 else 1e7, 0.0 if rate <= 5e8 else 0.9))
    assert any(one.good for one in made)


def test_a_test_that_gave_nothing_ends_the_search() -> None:
    """Its reason is the answer."""
    assert [None] == [one.arrived for one in searched(lambda rate: tried(rate, None))]


def test_nothing_gets_through() -> None:
    """The search ends."""
    assert len(searched(lambda rate: tried(rate, 0.0, 1.0))) == 1


def measured(rate: float, arrived: float, lost: float, direction: Direction = Direction.NEAR_TO_FAR) -> Measurement:
    """One rate of a search as the document has it."""
    return Measurement(
        id=f"m{rate}",
        kind="bulk",
        direction=direction,
        protocol="udp",
        streams=1,
        trials=("t1",),
        throughput_bps=Estimate(n=1, median=arrived, ci_low=arrived, ci_high=arrived),
        ceiling_bps=None,
        asked_bps=rate,
        lost_ratio=lost,
        datagram_bytes=1472,
        packets_per_second=arrived / 8 / 1472,
        search=True,
    )


def test_what_a_search_came_to() -> None:
    """The best rate that arrived whole, the lowest that did not, each direction by itself."""
    out = [measured(1e9, 9e8, 0.1), measured(8e8, 8e8, 0.0), measured(8.9e8, 8.8e8, 0.01)]
    back = [measured(1e9, 9e8, 0.1, Direction.FAR_TO_NEAR)]
    first, second = capacities([*out, *back])
    assert (8e8, 8.9e8, 3) == (first.loss_free_bps, first.lossy_bps, first.tried)
    assert first.packets_per_second == pytest.approx(67_935, rel=1e-3)
    assert (None, 1e9, 1) == (second.loss_free_bps, second.lossy_bps, second.tried)
    assert () == capacities([])
