"""The lab's score as text."""

import pytest

from fullrate.records.score import HEALTHY, Outcome, Row, score_of
from fullrate.report.score import render_score


def _row(  # noqa: PLR0913 - a row's columns
    outcome: Outcome = Outcome.RIGHT,
    *,
    fault: str = "tc-shaper",
    got: str | None = "tc-shaper",
    blamed: tuple[str, ...] = (),
    second: bool | None = None,
    failure: str = "",
) -> Row:
    return Row(
        fault=fault,
        kind="effect",
        expected="tc-shaper",
        got=got,
        outcome=outcome,
        seconds=11.94,
        plain_bps=1.921e8,
        healthy_bps=9.416e8,
        blamed=blamed,
        second=second,
        failure=failure,
    )


def _healthy(outcome: Outcome, got: str | None = None) -> Row:
    return Row(fault=HEALTHY, kind=HEALTHY, expected=None, got=got, outcome=outcome, seconds=4.0)


def _lines(*rows: Row, colour: bool = False) -> list[str]:
    return render_score(score_of(rows), 100, colour=colour).splitlines()


def test_sums() -> None:
    """What was named of what had an effect, and the alarms without a fault, come first."""
    lines = _lines(_row(), _row(Outcome.MISSED, got=None), _healthy(Outcome.RIGHT))
    assert [
        "faults named: 1 of 2 effective runs (50.0 %); a check took 11.9 s in the median",
        "false alarms: 0 of 1 healthy runs; a check took 4.0 s in the median",
    ] == lines[:2]


def test_nothing() -> None:
    """An empty score says so."""
    assert ["nothing was scored"] == [line for line in _lines() if line]


def test_a_right_row() -> None:
    """Outcome, time, the injector's own rates, the fault."""
    assert "right          11.9 s   192 of 942 M      tc-shaper" == _lines(_row())[-1]


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        (_row(Outcome.WRONG, got="path-loss"), "tc-shaper; path-loss instead of tc-shaper"),
        (_row(Outcome.MISSED, got=None), "tc-shaper; no cause instead of tc-shaper"),
        (_row(Outcome.WRONG, blamed=("path-loss",)), "tc-shaper; path-loss is innocent"),
        (_row(Outcome.NOT_EFFECTIVE, got=None), "tc-shaper"),
        (_row(second=False), "tc-shaper; the smaller one is not among the problems"),
        (_row(second=True), "tc-shaper"),
        (_row(Outcome.MISSED, failure="far is lost"), "tc-shaper; far is lost"),
        (_healthy(Outcome.FALSE_ALARM, "path-loss"), "healthy; path-loss instead of full"),
        (_healthy(Outcome.FALSE_ALARM), "healthy"),
    ],
)
def test_what_went_wrong(row: Row, expected: str) -> None:
    """The last column tells what was said instead, and who was blamed without reason."""
    assert expected == " ".join(_lines(row)[-1].split("  ")[-1].split())


def test_a_healthy_row_has_no_rates() -> None:
    """Nothing was injected."""
    assert " of " not in _lines(_healthy(Outcome.RIGHT))[-1]


def test_no_line_is_wider() -> None:
    """A long failure is wrapped."""
    text = render_score(score_of((_row(Outcome.MISSED, failure="word " * 60),)), 80)
    assert max(map(len, text.splitlines())) <= 80


def test_foreign_characters() -> None:
    """What a failure holds cannot act on the terminal."""
    assert "\\x1b[2J" in "".join(_lines(_row(Outcome.MISSED, failure="\x1b[2J")))


@pytest.mark.parametrize(
    ("outcome", "code"),
    [(Outcome.RIGHT, "32"), (Outcome.WRONG, "31"), (Outcome.MISSED, "31"), (Outcome.NOT_EFFECTIVE, "33")],
)
def test_colour(outcome: Outcome, code: str) -> None:
    """Right is green, wrong is red, what does not count is yellow."""
    assert f"\x1b[1;{code}m" in _lines(_row(outcome), colour=True)[-1]
