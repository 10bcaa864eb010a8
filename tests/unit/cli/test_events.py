"""The file of --events: whoever reads it, or does not, the measurement goes on."""

import json
import os
from pathlib import Path
from typing import NoReturn

import pytest

from fullrate.cli.events import EventFile
from fullrate.records.errors import UsageError
from fullrate.records.event import Noted, PhaseBegan
from trial_fakes import FakeClock

LONG = Noted(text="x" * 1000)
PIPE = 1 << 16  # bytes that a pipe holds (pipe(7))


@pytest.fixture
def fifo(tmp_path: Path) -> tuple[Path, int]:
    """A FIFO and its open reading end."""
    path = tmp_path / "fifo"
    os.mkfifo(path)
    return path, os.open(path, os.O_RDONLY | os.O_NONBLOCK)


def kinds(data: bytes) -> list[str]:
    """The kind of each line, all of them whole."""
    return [json.loads(line)["kind"] for line in data.splitlines()]


def test_each_event_is_there_at_once(tmp_path: Path) -> None:
    """Before the next one happens."""
    path, said = tmp_path / "events", list[str]()
    with EventFile.opened(path, said.append) as file:
        file.tell(PhaseBegan(name="measuring", seconds=5))
        assert ["phase"] == kinds(path.read_bytes())
        file.say("busy")
        assert ["phase", "noted"] == kinds(path.read_bytes())
    assert [] == said


def test_an_older_file_is_replaced(tmp_path: Path) -> None:
    """Its events are another job's."""
    path = tmp_path / "events"
    path.write_text("older\n" * 100)
    with EventFile.opened(path, list[str]().append) as file:
        file.say("busy")
    assert ["noted"] == kinds(path.read_bytes())


def test_a_reader_that_goes_away(fifo: tuple[Path, int]) -> None:
    """It has seen enough: nothing is said, nothing fails."""
    said = list[str]()
    with EventFile.opened(fifo[0], said.append) as file:
        file.say("busy")
        os.close(fifo[1])
        for _ in range(3):
            file.tell(LONG)
    assert [] == said


def test_a_full_disk() -> None:
    """Is said once (full(4)); what comes later is left out."""
    said = list[str]()
    with EventFile.opened(Path("/dev/full"), said.append) as file:
        for _ in range(3):
            file.tell(LONG)
    assert ["the events of --events end here: No space left on device; the measurement goes on"] == said


def test_a_slow_reader_misses_nothing(fifo: tuple[Path, int]) -> None:
    """What the pipe does not hold yet waits, and comes when there is room."""
    said, count = list[str](), 2 * PIPE // 1000
    with EventFile.opened(fifo[0], said.append) as file:
        for _ in range(count):
            file.tell(LONG)
        first = os.read(fifo[1], 10 * PIPE)
        file.say("last")
        second = os.read(fifo[1], 10 * PIPE)
        file.finish(FakeClock().now)
        third = os.read(fifo[1], 10 * PIPE)
    os.close(fifo[1])
    assert ["noted"] * (count + 1) == kinds(first + second + third)
    assert [] == said


def test_a_reader_that_reads_no_more(fifo: tuple[Path, int]) -> None:
    """Is given up, once a megabyte waits for it, and nothing waits at the end."""
    said = list[str]()
    with EventFile.opened(fifo[0], said.append) as file:
        for _ in range(1200):
            file.tell(LONG)
    os.close(fifo[1])
    assert ["the events of --events end here: its reader does not read; the measurement goes on"] == said


@pytest.mark.parametrize("name", ["no/such/folder/events", "."])
def test_what_cannot_be_written(name: str, tmp_path: Path) -> None:
    """Is said before anything is sent."""
    with (
        pytest.raises(UsageError, match=r"cannot write the events: .*name another file with --events"),
        EventFile.opened(tmp_path / name, list[str]().append),
    ):
        pytest.fail("it was opened")


def test_the_end_does_not_wait_for_ever(fifo: tuple[Path, int]) -> None:
    """What a reader has not taken two seconds after the end is lost to it."""
    moments = iter((0.0, 1.0, 3.0))
    with EventFile.opened(fifo[0], list[str]().append) as file:
        for _ in range(2 * PIPE // 1000):
            file.tell(LONG)
        os.read(fifo[1], PIPE // 2)  # there is room, and not for all of it
        file.finish(lambda: next(moments))
        assert len(os.read(fifo[1], 10 * PIPE)) > PIPE // 2
    os.close(fifo[1])


def test_a_stopped_job_tells_its_end(fifo: tuple[Path, int]) -> None:
    """What still waits is written on every path."""
    taken = list[bytes]()

    def work() -> NoReturn:
        with EventFile.opened(fifo[0], list[str]().append) as file:
            for _ in range(PIPE // 1000):
                file.tell(LONG)
            taken.append(os.read(fifo[1], PIPE))
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        work()
    rest = os.read(fifo[1], PIPE)
    os.close(fifo[1])
    assert ["noted"] * (PIPE // 1000) == kinds(taken[0] + rest)


def test_nothing_of_it_is_live(tmp_path: Path) -> None:
    """Making way writes nothing."""
    path = tmp_path / "events"
    with EventFile.opened(path, list[str]().append) as file:
        file.clear()
    assert b"" == path.read_bytes()


def test_the_file_is_closed_when_the_job_fails(tmp_path: Path) -> None:
    """Its reader sees the end."""
    before = len(tuple(Path("/proc/self/fd").iterdir()))
    with pytest.raises(KeyboardInterrupt), EventFile.opened(tmp_path / "events", list[str]().append):
        raise KeyboardInterrupt
    assert before == len(tuple(Path("/proc/self/fd").iterdir()))
