"""Every fault of the hardware lab on both generations: the product's own score."""

import sys
from pathlib import Path

import pytest

from fullrate.lab.guest import GENERATIONS
from hardware.guests import guest, remains
from lab.driving import User

pytestmark = pytest.mark.hardware

LONGEST = 45 * 60.0


@pytest.mark.parametrize("generation", GENERATIONS)
def test_matrix(generation: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Every core fault is named three times of three, five checks of a healthy guest raise no alarm."""
    user = User(state=tmp_path)
    with guest(generation):
        answer = user.runs(
            *("lab", "score", "--guest", "--generation", generation, "--runs", "3", "--healthy", "5", "--json"),
            within=LONGEST,
        )
    rows = answer.document["rows"]
    with capsys.disabled():
        sys.stdout.write("".join(f"\n{row['fault']:<28}{row['got']!s:<28}{row['outcome']}" for row in rows))
    assert {"right", "not_effective"} >= {row["outcome"] for row in rows}
    assert [] == remains()
