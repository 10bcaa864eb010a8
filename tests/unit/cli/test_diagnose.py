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

    def diagnose(given: Sequence[Path], **said: Sequence[Path] | float | None) -> Run:
        kept.extend(given)
        kept.extend(Path(f"{name}={value}") for name, value in said.items() if value)
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


def test_what_the_user_says(fullrate: Command, paths: list[Path]) -> None:
    """Ends, moments and the promised rate are handed on."""
    fullrate("diagnose", "--near", "a", "--link-speed", "1G")
    assert {"near=(PosixPath('a'),)", "link_speed=1000000000.0"} == {str(path) for path in paths}


def test_a_text_that_nobody_knows(fullrate: Command, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The real library lists it as not understood; that says nothing of the link, so it is undecided, exit 3."""
    path = tmp_path / "x.txt"
    path.write_bytes(b"hello")
    code = fullrate("diagnose", str(path))
    assert (3, True) == (code, 'x.txt: "hello" (5 characters)' in capsys.readouterr().out)


def test_a_damaged_bundle(fullrate: Command, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The real library refuses it in one sentence, exit 2."""
    path = tmp_path / "x.fullrate"
    path.write_bytes(b"hello")
    code = fullrate("diagnose", str(path))
    assert (2, True) == (code, f"cannot read {path}: it is no bundle" in capsys.readouterr().err)


def test_nothing_named(fullrate: Command, capsys: pytest.CaptureFixture[str]) -> None:
    """A wrong command line says what can be named."""
    assert (2, True) == (fullrate("diagnose"), "name a bundle" in capsys.readouterr().err)
