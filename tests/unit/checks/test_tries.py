"""The attempts to run a test."""

from dataclasses import replace

import pytest

from fullrate.checks._tries import failures, port_words, tries
from fullrate.records.trial import EngineFailure
from fullrate.records.view import Missing
from unit.checks.build import attempt, healthy, untested

BUSY, REFUSED = attempt(EngineFailure.BUSY), attempt(EngineFailure.REFUSED)


def test_idle_look_is_no_attempt() -> None:
    """It sends nothing."""
    assert ["t-5201", "t1"] == [trial.id for trial in tries(replace(healthy(), tries=(BUSY,)).view())]


def test_no_attempt_asks_for_one() -> None:
    """The first test of the direction."""
    with pytest.raises(Missing, match="a measurement: tcp 1 flow near to far"):
        tries(untested(healthy()).view())


def test_failures_without_repeats() -> None:
    """And without the attempts that said nothing."""
    silent = replace(BUSY, engine=None)
    assert {EngineFailure.BUSY, EngineFailure.REFUSED} == failures([BUSY, REFUSED, BUSY, silent, attempt(None)])


@pytest.mark.parametrize(
    ("ports", "expected"),
    [([], "the TCP port"), ([5201], "TCP port 5201"), ([5203, 5201, 5202], "TCP ports 5201 to 5203")],
)
def test_ports_in_words(ports: list[int], expected: str) -> None:
    """As a person would say it."""
    assert expected == port_words(ports)
