"""The diagnosis of every case in a folder."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from fullrate import scoring, workflow
from fullrate.casebook import TRUTH
from fullrate.records.cases import Outcome
from fullrate.records.run import Run
from fullrate.scoring import score

CASE = "id: {0}\ncause: link-speed-downshift\nsecondary_causes: []\ndecidable_from_evidence: partly\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """One case with evidence, one without."""
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / TRUTH).write_text(CASE.format(name))
    (tmp_path / "a" / "ethtool_eth0.txt").write_text("Settings for eth0:\n\tSpeed: 100Mb/s\n\tLink detected: yes\n")
    return tmp_path


def test_every_case_has_a_row(folder: Path) -> None:
    """One whose evidence cannot be read is wrong and says why; the others are judged all the same."""
    found = score(folder)
    assert ["a", "b"] == [row.id for row in found.rows]
    assert (Outcome.WRONG, True) == (found.rows[1].outcome, "name a bundle" in found.rows[1].failure)


def test_the_truth_is_no_evidence(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The diagnosis is not shown it."""
    shown: list[str] = []
    diagnose = workflow.diagnose

    def watched(paths: Sequence[Path]) -> Run:
        shown.extend(path.name for path in paths)
        return diagnose(paths)

    monkeypatch.setattr(scoring, "diagnose", watched)
    score(folder)
    assert ["ethtool_eth0.txt"] == shown
