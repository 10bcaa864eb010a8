"""`fullrate diagnose` reads what was kept."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from fullrate.records.run import Run

Command = Callable[..., int]


@pytest.fixture
def paths(monkeypatch: pytest.MonkeyPatch, not_full: Run) -> list[Path]:
    """The paths the library function was given."""
    kept: list[Path] = []

    def diagnose(given: Sequence[Path]) -> Run:
        kept.extend(given)
        return not_full

    monkeypatch.setattr("fullrate.workflow.diagnose", diagnose)
    return kept


def test_text(fullrate: Command, paths: list[Path], capsys: pytest.CaptureFixture[str]) -> None:
    """The same report as of a live run."""
    code = fullrate("diagnose", "a.fullrate")
    assert (1, True, [Path("a.fullrate")]) == (code, "NOT FULL" in capsys.readouterr().out, paths)


def test_json(fullrate: Command, paths: list[Path], capsys: pytest.CaptureFixture[str]) -> None:
    """The same document as of a live run."""
    fullrate("diagnose", "a", "b", "--json")
    state = json.loads(capsys.readouterr().out)["verdict"]["state"]
    assert ("not_full", [Path("a"), Path("b")]) == (state, paths)


def test_a_file_that_is_no_bundle(fullrate: Command, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The real library refuses it in one sentence, exit 2."""
    path = tmp_path / "x"
    path.write_bytes(b"hello")
    code = fullrate("diagnose", str(path))
    assert (2, True) == (code, f"cannot read {path}: it is no bundle" in capsys.readouterr().err)
