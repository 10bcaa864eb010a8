"""`fullrate lab score` on a real kernel: what it prints, and that the lab is as it was."""

import sys
from pathlib import Path

import pytest

from fullrate.host.local import LocalHost
from fullrate.lab import down, load_state
from lab.driving import User

pytestmark = pytest.mark.lab

LONGEST = 25 * 60.0


@pytest.fixture
def user(tmp_path: Path) -> User:
    """A user without a lab."""
    host = LocalHost()
    down(host)
    host.close()
    return User(state=tmp_path)


def test_score(user: User) -> None:
    """A shaper counts as effective and is named, a healthy lab raises no alarm; what was made for it is gone."""
    answer = user.runs("lab", "score", "--json", "--faults", "tc-shaper-20m", "--runs", "1", "--healthy", "1")
    _, row = answer.document["rows"]
    sums = {key: answer.document[key] for key in ("faults", "effective", "recall", "healthy_runs", "false_alarms")}
    assert (0, "tc-shaper", "right") == (answer.code, row["got"], row["outcome"])
    assert {"faults": 1, "effective": 1, "recall": 1.0, "healthy_runs": 1, "false_alarms": 0} == sums
    assert None is load_state(LocalHost())
    assert [] == user.left()


@pytest.mark.long
def test_core(user: User, capsys: pytest.CaptureFixture[str]) -> None:
    """Every core fault is named three times of three, ten checks of a healthy lab raise no alarm; in 25 minutes."""
    answer = user.runs("lab", "score", "--json", within=LONGEST)
    with capsys.disabled():
        sys.stdout.write(
            "".join(f"\n{row['fault']:<28}{row['got']!s:<28}{row['outcome']}" for row in answer.document["rows"])
        )
    sums = {key: answer.document[key] for key in ("recall", "healthy_runs", "false_alarms")}
    assert {"recall": 1.0, "healthy_runs": 10, "false_alarms": 0} == sums
    assert 18 * 3 <= sum(row["kind"] == "effect" for row in answer.document["rows"] if row["outcome"] == "right")


@pytest.mark.long
def test_pair(user: User) -> None:
    """With two faults in the lab the larger one is named."""
    answer = user.runs("lab", "score", "--json", "--pairs", "--faults", "path-loss")
    (row,) = answer.document["rows"]
    assert ("tc-shaper-20m with path-loss", "right") == (row["fault"], row["outcome"])
