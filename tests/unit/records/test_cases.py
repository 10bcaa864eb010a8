"""The score over recorded cases."""

import pytest

from fullrate.records.cases import CaseRow, Outcome, related, score_of_cases, slug_of
from fullrate.records.finding import Confidence


def row(outcome: Outcome, *, counts: bool = True, got: str | None = "eee", seconds: float = 1.0) -> CaseRow:
    """One answer, said with certainty."""
    return CaseRow(
        id="x",
        expected="eee",
        got=got,
        outcome=outcome,
        counts=counts,
        seconds=seconds,
        confidence=Confidence.HIGH,
    )


def test_the_sums() -> None:
    """Each outcome, what counts, the seconds."""
    rows = (row(Outcome.RIGHT), row(Outcome.NEAR, counts=False), row(Outcome.ASKED, got=None, seconds=3.0))
    found = score_of_cases(rows)
    assert (3, 1, 1, 1, 0, 2) == (found.cases, found.right, found.near, found.asked, found.wrong, found.good)
    assert (1.0, 3.0) == (found.median_seconds, found.worst_seconds)


@pytest.mark.parametrize(("got", "number"), [("eee", 1), (None, 0)])
def test_only_a_named_cause_is_confidently_wrong(got: str | None, number: int) -> None:
    """Silence is wrong at times, but nobody is misled."""
    assert number == score_of_cases((row(Outcome.WRONG, got=got),)).confident_wrong


@pytest.mark.parametrize("outcome", [Outcome.RIGHT, Outcome.NEAR])
def test_a_good_answer_is_not_confidently_wrong(outcome: Outcome) -> None:
    """However sure it is."""
    assert 0 == score_of_cases((row(outcome),)).confident_wrong


def test_perfect() -> None:
    """Every answer counts."""
    assert score_of_cases((row(Outcome.RIGHT),)).perfect
    assert not score_of_cases((row(Outcome.NEAR, counts=False),)).perfect


def test_no_case() -> None:
    """There is nothing to sum."""
    assert (0, None) == (score_of_cases(()).cases, score_of_cases(()).median_seconds)


@pytest.mark.parametrize(("name", "slug"), [("bad-cable", "rx-crc-errors"), ("eee", "eee"), ("made-up", "made-up")])
def test_other_names_of_causes(name: str, slug: str) -> None:
    """Cases may use them."""
    assert slug == slug_of(name)


@pytest.mark.parametrize(
    ("one", "other", "kin"),
    [
        ("rx-ring-too-small", "nic-rx-overrun", True),
        ("nic-rx-overrun", "rx-ring-too-small", True),
        ("rx-ring-too-small", "rx-crc-errors", False),
        ("eee", "made-up", False),
        ("eee", "optics-power-low", False),
    ],
)
def test_kinds_of_causes(one: str, other: str, kin: bool) -> None:  # noqa: FBT001 - a parameter
    """Parent and child, either way; two without a parent are not kin."""
    assert kin is related(one, other)
