"""The program that becomes another one."""

import os
from pathlib import Path

import pytest

from fullrate.lab import enter


class Gone(Exception):  # noqa: N818 - it stands for the moment the process is replaced
    """The process would now be another program."""


@pytest.fixture
def executed(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """Programs that would have replaced this process."""
    kept: list[list[str]] = []

    def execvp(_: str, argv: list[str]) -> None:
        kept.append(argv)
        raise Gone

    monkeypatch.setattr(os, "execvp", execvp)
    monkeypatch.setenv(enter.MARK, "0")
    return kept


def test_it_becomes_the_program(executed: list[list[str]]) -> None:
    """Everything after the dashes is the program and its arguments."""
    with pytest.raises(Gone):
        enter.main(["--", "iperf3", "-s", "--detach"])
    assert [["iperf3", "-s", "--detach"]] == executed


def test_the_program_is_marked(executed: list[list[str]]) -> None:
    """The environment carries the lab's mark."""
    with pytest.raises(Gone):
        enter.main(["--", "true"])
    assert (1, "1") == (len(executed), os.environ[enter.MARK])


def test_it_joins_first(executed: list[list[str]], tmp_path: Path) -> None:
    """It writes itself into each procs file before it becomes the program."""
    files = (tmp_path / "one", tmp_path / "two")
    with pytest.raises(Gone):
        enter.main([*(word for file in files for word in ("--join", str(file))), "--", "true"])
    assert (1, ["0", "0"]) == (len(executed), [file.read_text() for file in files])


def test_a_cgroup_that_is_not_there(executed: list[list[str]], tmp_path: Path) -> None:
    """Where it cannot join, the program does not run."""
    with pytest.raises(OSError, match="gone"):
        enter.main(["--join", str(tmp_path / "gone" / "procs"), "--", "true"])
    assert [] == executed


def test_detached_it_prints_the_child(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """The parent says which process the program is, and since when."""
    monkeypatch.setattr(os, "fork", os.getpid)  # this process stands for its own child
    monkeypatch.setenv(enter.MARK, "0")
    enter.main(["--detach", "--", "true"])
    started = enter.started(Path("/proc/self/stat").read_text())
    assert f"{os.getpid()} {started}\n" == capsys.readouterr().out


@pytest.mark.parametrize("name", ["iperf3", "a b", "x) S 1 (y"])
def test_started(name: str) -> None:
    """Field 22 is the start, whatever the program's name holds."""
    stat = f"42 ({name}) S " + " ".join(str(field) for field in range(4, 53))
    assert "22" == enter.started(stat)
