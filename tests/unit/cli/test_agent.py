"""`fullrate agent` writes the agent as a program."""

import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

Command = Callable[..., int]


def test_it_is_written(fullrate: Command, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The agent, the guard program, and what starts it; one line says where and which."""
    path = tmp_path / "a.pyz"
    assert 0 == fullrate("agent", "-o", str(path))
    assert ["__main__.py", "fullrate_agent.py", "fullrate_guard.py"] == zipfile.ZipFile(path).namelist()
    assert capsys.readouterr().out.startswith(f"{path}: the agent of fullrate ")


def test_it_has_a_name_of_its_own(fullrate: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without -o it lies in the folder where one is."""
    monkeypatch.chdir(tmp_path)
    assert (0, ["fullrate-agent.pyz"]) == (fullrate("agent"), [path.name for path in tmp_path.iterdir()])


def test_no_place_for_it(fullrate: Command, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Exit 2 and one sentence."""
    code = fullrate("agent", "-o", str(tmp_path / "none" / "a.pyz"))
    assert (2, True) == (code, "No such file or directory; name another file with -o" in capsys.readouterr().err)
