"""`fullrate score` prints what the diagnosis was worth."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from fullrate.records.cases import CaseRow, CaseScore, Outcome, score_of_cases

Command = Callable[..., int]


@pytest.fixture(params=[True, False], ids=["good", "bad"])
def result(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> CaseScore:
    """The score that the library gives."""
    good = bool(request.param)
    outcome = Outcome.RIGHT if good else Outcome.WRONG
    found = score_of_cases((CaseRow(id="x", expected="eee", got="eee", outcome=outcome, counts=good, seconds=0.1),))
    monkeypatch.setattr("fullrate.scoring.score", lambda _: found)
    return found


def test_text(fullrate: Command, result: CaseScore, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The table; exit 0 only when every answer counts."""
    code = fullrate("score", str(tmp_path))
    assert (0 if result.perfect else 1) == code
    assert f"good answers: {result.good} of 1" in capsys.readouterr().out


def test_json(fullrate: Command, result: CaseScore, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The document with its promised keys."""
    fullrate("score", str(tmp_path), "--json")
    document = json.loads(capsys.readouterr().out)
    assert {"cases", "right", "near", "asked", "wrong", "confident_wrong", "rows"} <= document.keys()
    assert {"id", "expected", "got", "outcome", "counts", "seconds"} <= document["rows"][0].keys()
    assert result.right == document["right"]


def test_a_folder_that_is_not_there(fullrate: Command, capsys: pytest.CaptureFixture[str]) -> None:
    """A wrong command line."""
    assert 2 == fullrate("score", "/no/such/folder")
    assert "does not exist" in capsys.readouterr().err
