"""The score over cases as text."""

import pytest

from fullrate.records.cases import CaseRow, Outcome, score_of_cases
from fullrate.records.finding import Confidence
from fullrate.report.cases import render_cases


def row(
    outcome: Outcome = Outcome.RIGHT, *, got: str | None = "eee", counts: bool = True, failure: str = ""
) -> CaseRow:
    """One answer."""
    return CaseRow(
        id="rpi4-eee-linkflap",
        expected="eee",
        got=got,
        outcome=outcome,
        counts=counts,
        seconds=0.12,
        confidence=Confidence.MEDIUM,
        failure=failure,
    )


def lines(*rows: CaseRow, width: int = 80) -> list[str]:
    """The text, a line each."""
    return render_cases(score_of_cases(rows), width).splitlines()


def test_the_sums_come_first() -> None:
    """How many count, of what kind, how long it took."""
    found = lines(row(), row(Outcome.WRONG, got="tc-shaper", counts=False))
    assert [
        "good answers: 1 of 2 (50.0 %); right 1, near 0, asked 0, wrong 1",
        "wrong without a doubt: 0",
        "seconds a case: 0.12 in the median, 0.12 at worst",
    ] == found[:3]


@pytest.mark.parametrize(
    ("one", "text"),
    [
        (row(), "right   0.12 s  rpi4-eee-linkflap              eee (medium)"),
        (row(Outcome.ASKED, got=None), "asked   0.12 s  rpi4-eee-linkflap              nothing named; true: eee"),
        (
            row(Outcome.WRONG, got=None, failure="damaged"),
            "wrong   0.12 s  rpi4-eee-linkflap              damaged; true: eee",
        ),
    ],
)
def test_a_line_a_case(one: CaseRow, text: str) -> None:
    """What was said, and the truth where that is another thing."""
    assert text == lines(one)[-1].rstrip()


def test_no_line_is_wider_than_asked() -> None:
    """Long names are wrapped."""
    found = lines(row(Outcome.NEAR, got="cloud-allowance-exceeded"), width=80)
    assert max(map(len, found)) <= 80
