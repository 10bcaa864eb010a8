"""The sums of a score."""

import msgspec
import pytest

from fullrate.records.score import HEALTHY, Outcome, Row, score_of


def _row(outcome: Outcome, *, fault: str = "tc-shaper", seconds: float = 9.0) -> Row:
    kind = HEALTHY if fault == HEALTHY else "effect"
    return Row(fault=fault, kind=kind, expected=fault, got=None, outcome=outcome, seconds=seconds)


def _healthy(outcome: Outcome = Outcome.RIGHT, seconds: float = 4.0) -> Row:
    return _row(outcome, fault=HEALTHY, seconds=seconds)


def test_nothing() -> None:
    """Without a run there is no recall and no time."""
    score = score_of(())
    assert (0, None, None, None) == (
        score.faults,
        score.recall,
        score.median_faulty_seconds,
        score.median_healthy_seconds,
    )


@pytest.mark.parametrize(
    ("outcomes", "expected"),
    [
        ((Outcome.RIGHT,), 1.0),
        ((Outcome.RIGHT, Outcome.WRONG), 0.5),
        ((Outcome.RIGHT, Outcome.MISSED), 0.5),
        ((Outcome.RIGHT, Outcome.NOT_EFFECTIVE), 1.0),
        ((Outcome.NOT_EFFECTIVE,), None),
        ((Outcome.WRONG,), 0.0),
    ],
)
def test_recall(outcomes: tuple[Outcome, ...], expected: float | None) -> None:
    """The share of right answers among the effective runs."""
    assert expected == score_of(tuple(map(_row, outcomes))).recall


def test_faults_are_counted_once() -> None:
    """Two runs of one fault are one fault and two effective runs."""
    score = score_of((_row(Outcome.RIGHT), _row(Outcome.RIGHT), _row(Outcome.NOT_EFFECTIVE, fault="path-loss")))
    assert (2, 2) == (score.faults, score.effective)


def test_healthy_runs() -> None:
    """They count apart from the faults."""
    score = score_of((_healthy(), _healthy(Outcome.FALSE_ALARM), _row(Outcome.RIGHT)))
    assert (2, 1, 1, 1.0) == (score.healthy_runs, score.false_alarms, score.faults, score.recall)


def test_median_times() -> None:
    """Of the checks that were made; a fault without effect was not checked."""
    rows = (
        _row(Outcome.RIGHT, seconds=8.0),
        _row(Outcome.WRONG, seconds=12.0),
        _row(Outcome.NOT_EFFECTIVE, seconds=0.0),
        _healthy(seconds=3.0),
    )
    score = score_of(rows)
    assert (10.0, 3.0) == (score.median_faulty_seconds, score.median_healthy_seconds)


@pytest.mark.parametrize("outcome", Outcome)
def test_perfect(outcome: Outcome) -> None:
    """Only right answers are."""
    assert (outcome is Outcome.RIGHT) is score_of((_row(Outcome.RIGHT), _row(outcome))).perfect


def test_json_keys() -> None:
    """The keys that scripts rely on."""
    document = msgspec.to_builtins(score_of((_row(Outcome.RIGHT),)))
    assert {"faults", "effective", "recall", "healthy_runs", "false_alarms", "rows", "schema"} <= document.keys()
    assert {"fault", "kind", "expected", "got", "outcome", "seconds"} <= document["rows"][0].keys()


def test_json_words() -> None:
    """Outcomes are the words of the contract."""
    expected = ["right", "wrong", "missed", "not_effective", "false_alarm"]
    assert expected == [msgspec.to_builtins(outcome) for outcome in Outcome]
