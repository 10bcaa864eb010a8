"""The lock that keeps two commands apart."""

import fcntl
import os
from pathlib import Path

import pytest

from fullrate.host.lock import alone
from fullrate.records.errors import RefusedError
from lab_lock import held

INIT = 1  # a process that is not this one


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where the lock is to be; its folder is not there yet."""
    return tmp_path / "run" / "lab.lock"


def test_the_second_is_told_who_is_at_work(path: Path) -> None:
    """By process and command."""
    expected = r"^`fullrate lab score` \(process 1\) is at work in the lab: wait for its end, then try again$"
    with held(path, f"{INIT} lab score"), pytest.raises(RefusedError, match=expected), alone(path, "lab up"):
        pass


def test_a_holder_that_has_not_written_yet(path: Path) -> None:
    """It is there all the same."""
    with held(path, ""), pytest.raises(RefusedError, match="another fullrate command is at work"), alone(path, "x"):
        pass


def test_a_refusal_leaves_the_holders_file(path: Path) -> None:
    """It is still locked."""
    with held(path, f"{INIT} demo"):
        with pytest.raises(RefusedError), alone(path, "lab up"):
            pass
        assert f"{INIT} demo" == path.read_text()


def test_the_file_names_who_holds_it(path: Path) -> None:
    """For the next one to read; what stood there before is gone."""
    path.parent.mkdir()
    path.write_text("1 a very long command of a process that was killed")
    with alone(path, "lab up"):
        assert f"{os.getpid()} lab up" == path.read_text()


def test_what_a_killed_process_left_is_no_lock(path: Path) -> None:
    """The kernel freed it; the file alone says nothing."""
    path.parent.mkdir()
    path.write_text(f"{INIT} lab score")
    with alone(path, "lab up"):
        assert path.exists()


def test_a_command_within_the_command_passes(path: Path) -> None:
    """Scoring calls checks; the lock stays with the outer one."""
    with alone(path, "lab score"):
        with alone(path, "check lab:"):
            assert f"{os.getpid()} lab score" == path.read_text()
        assert path.exists()


def test_nothing_is_left(path: Path) -> None:
    """Neither file nor folder."""
    with alone(path, "lab up"):
        pass
    assert not path.parent.exists()


def test_a_folder_in_use_stays(path: Path) -> None:
    """The lab's state is in it."""
    with alone(path, "lab up"):
        (path.parent / "lab.json").write_text("{}")
    assert ["lab.json"] == [one.name for one in path.parent.iterdir()]


def test_an_error_gives_it_back(path: Path) -> None:
    """Whatever happens inside."""
    with pytest.raises(ValueError, match="oops"), alone(path, "lab up"):
        raise ValueError("oops")
    assert not path.exists()


def test_a_file_that_was_just_removed_is_no_lock(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its holder ended between our opening and our locking it: the path is tried again."""
    lock, taken = fcntl.flock, list[int]()

    def late(file: int, how: int) -> None:
        lock(file, how)
        taken.append(file)
        if len(taken) == 1:
            path.unlink()

    monkeypatch.setattr(fcntl, "flock", late)
    with alone(path, "lab up"):
        assert f"{os.getpid()} lab up" == path.read_text()
    assert 2 == len(taken)


def test_a_folder_that_was_just_removed_is_made_again(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It goes with the file of the one before."""
    open_, tries = os.open, list[str]()

    def late(name: Path, flags: int, mode: int) -> int:
        tries.append(str(name))
        if len(tries) == 1:
            path.parent.rmdir()
        return open_(name, flags, mode)

    monkeypatch.setattr(os, "open", late)
    with alone(path, "lab up"):
        assert path.exists()


def test_without_the_right_to_write_nothing_is_held(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What needs root says so itself."""

    def denied(*_: object) -> int:
        raise PermissionError

    monkeypatch.setattr(os, "open", denied)
    with alone(path, "lab up"):
        assert not path.exists()


def test_programs_that_are_started_do_not_hold_it(path: Path) -> None:
    """The lab's own servers outlive the command that started them."""
    with alone(path, "lab break"):
        files = [one.name for one in Path("/proc/self/fd").iterdir() if one.exists() and one.samefile(path)]
        assert [False] == [os.get_inheritable(int(file)) for file in files]
