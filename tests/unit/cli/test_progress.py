"""Progress is for a person who waits; it never reaches stdout."""

import io

import pytest

from fullrate.cli.progress import Hidden, Lines, Live, showing

ERASE = "\r\x1b[K"


class Terminal(io.StringIO):
    """A stream that is a terminal."""

    def isatty(self) -> bool:
        """It is one."""
        return True


def live(width: int = 80) -> tuple[Live, Terminal, list[float]]:
    """A live line, its terminal, and the clock it reads."""
    terminal, now = Terminal(), [100.0]
    return Live(terminal, lambda: now[0], width), terminal, now


def test_live_phase() -> None:
    """A step is shown at once."""
    progress, terminal, _ = live()
    progress.phase("measuring to nas", 12)
    assert f"{ERASE}measuring to nas  0 of about 12 s" == terminal.getvalue()


def test_live_tick() -> None:
    """A tick shows how far the step is, and the rate."""
    progress, terminal, now = live()
    progress.phase("measuring", 12)
    now[0] += 4
    progress.tick(941_482_444)
    assert terminal.getvalue().endswith(f"{ERASE}measuring  4 of about 12 s  941.5 Mbit/s")


def test_live_step_without_a_time() -> None:
    """A short step promises no seconds."""
    progress, terminal, _ = live()
    progress.phase("connecting", 0.2)
    assert f"{ERASE}connecting" == terminal.getvalue()


def test_live_notice_stays() -> None:
    """A notice keeps its own line."""
    progress, terminal, _ = live()
    progress.say("port 5201 is busy")
    assert f"{ERASE}port 5201 is busy\n" == terminal.getvalue()


def test_live_line_fits_the_terminal() -> None:
    """A line that wrapped could not be erased."""
    progress, terminal, _ = live(20)
    progress.phase("a step with a long name", 5)
    expected = 19
    assert expected == len(terminal.getvalue().removeprefix(ERASE))


def test_live_is_harmless() -> None:
    """Neither steps nor notices can steer the terminal."""
    progress, terminal, _ = live()
    progress.phase("\x1b[2J", 0)
    progress.say("\a")
    assert f"{ERASE}\\x1b[2J{ERASE}\\x07\n" == terminal.getvalue()


def test_live_clear() -> None:
    """The line can make way for a question."""
    progress, terminal, _ = live()
    progress.clear()
    assert terminal.getvalue() == ERASE


def test_lines() -> None:
    """Plain lines for a log: notices and steps, no ticks, nothing to erase."""
    stream = io.StringIO()
    progress = Lines(stream)
    progress.phase("measuring", 12)
    progress.tick(1e9)
    progress.say("busy")
    progress.phase("closing", 0)
    progress.clear()
    expected = "measuring (about 12 s)\nbusy\nclosing\n"
    assert expected == stream.getvalue()


@pytest.mark.parametrize(
    ("stream", "verbose", "expected"),
    [
        (Terminal(), False, Live),
        (Terminal(), True, Lines),
        (io.StringIO(), True, Lines),
        (io.StringIO(), False, Hidden),
    ],
)
def test_what_suits_the_stream(stream: io.StringIO, verbose: bool, expected: type) -> None:  # noqa: FBT001 - a parameter
    """A terminal gets the live line, a log only what was asked for."""
    with showing(stream, verbose=verbose) as progress:
        assert expected is type(progress)


def test_nothing_is_left_behind() -> None:
    """The live line is gone when the work has failed, too."""
    terminal = Terminal()
    with pytest.raises(ZeroDivisionError), showing(terminal, verbose=False) as progress:
        progress.phase("dividing", 1 / 0)
    assert terminal.getvalue() == ERASE


def test_hidden_writes_nothing() -> None:
    """Without a terminal stderr stays empty."""
    stream = io.StringIO()
    with showing(stream, verbose=False) as progress:
        progress.phase("measuring", 1)
        progress.tick(1e9)
        progress.say("busy")
    assert stream.getvalue() == ""
