"""What a traffic program told of itself, as the checks use it."""

from dataclasses import replace

import pytest

from fullrate.checks._told import ceiling_reached, older, only_first_flight, outdone, program_share
from fullrate.records.ends import End
from fullrate.records.trial import EngineResult
from unit.checks.told_by import seconds, told


def test_each_ends_program_has_its_share() -> None:
    """The far end serves."""
    (trial,) = told(client_cpu=0.9, server_cpu=0.5).trials
    assert [0.9, 0.5] == [program_share(trial, end) for end in (End.NEAR, End.FAR)]


def test_a_program_that_carries_more() -> None:
    """With no more streams."""
    view, (other,) = told(300e6), told(400e6, program="iperf").trials
    both = replace(view, trials=(*view.trials, other))
    assert other is outdone(both, view.trials[0])


@pytest.mark.parametrize("other", [told(310e6, program="iperf"), told(400e6), told(400e6, program="iperf", streams=2)])
def test_a_program_that_does_not(other: object) -> None:
    """About as much, the same program, or more streams."""
    view = told(300e6)
    both = replace(view, trials=(*view.trials, *other.trials))  # type: ignore[attr-defined]
    assert outdone(both, view.trials[0]) is None


@pytest.mark.parametrize(
    ("expected", "engine"),
    [
        (True, EngineResult(program="iperf3", client_version="3.12")),
        (False, EngineResult(program="iperf3", client_version="3.16")),
        (False, EngineResult(program="iperf3", client_version="3.17.1")),
        (True, EngineResult(program="iperf3", older_than="3.2")),
        (None, EngineResult(program="iperf3")),
        (None, EngineResult(program="iperf3", client_version="strange")),
    ],
)
def test_age(expected: object, engine: EngineResult) -> None:
    """By its version, or a bound of it."""
    assert expected is older(engine, (3, 16))


def test_a_bound_above_tells_nothing() -> None:
    """Older than 3.20 may be older than 3.16, or not."""
    assert older(EngineResult(program="iperf3", older_than="3.20"), (3, 16)) is None


def test_a_share_of_an_unknown_ceiling_is_not_reached() -> None:
    """Nor is one of a known one that is higher."""
    views = [told(500e6, ceiling=ceiling) for ceiling in (None, 941e6, 600e6)]
    assert [False, False, True] == [ceiling_reached(view, view.trials[0], 0.8) for view in views]


@pytest.mark.parametrize(
    ("expected", "rates", "retransmits"),
    [
        (True, (700e3, 0, 0, 0, 0, 0), 5),
        (False, (700e3, 0, 0, 0, 0, 0), 1),
        (False, (700e3, 0, 0, 0, 0, 0), None),
        (False, (700e3, 0, 0), 5),
        (False, (700e3, 0, 0, 0, 0, 100), 5),
        (False, (50e6, 0, 0, 0, 0, 0), 5),
        (False, (0, 0, 0, 0, 0, 0), 5),
        (False, (), 5),
    ],
)
def test_the_first_flight(expected: object, rates: tuple[float, ...], retransmits: int | None) -> None:
    """A window left, five silent seconds followed, and it was tried again."""
    (trial,) = told(0.0, sent=seconds(*rates), retransmits=retransmits).trials
    assert expected is only_first_flight(trial)
