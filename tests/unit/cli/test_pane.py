"""The picture on a terminal: what a terminal shows after the bytes, read by a small one of our own."""

import io
import os
import re
from collections.abc import Iterator

import pytest

from fullrate.cli.pane import OneLine, Pane, size_of
from fullrate.records.ends import Direction, End
from fullrate.records.event import Cpu, Noted, PhaseBegan, Sampled, Suspected
from fullrate.records.finding import Confidence
from trial_fakes import FakeClock

_TOKEN = re.compile(r"\x1b\[(\d*)([A-Za-z])|\x1b\[([\d;]*)m|(\r|\n)|([^\x1b\r\n]+)")
PHASE = PhaseBegan(name="measuring tcp 1 flow near to far, port 5201", seconds=5)
SUSPECTED = Suspected(cause="path-loss", end="path", confidence=Confidence.HIGH, sentence="the path loses packets " * 9)


class Screen(io.StringIO):
    """As much of a terminal as the picture uses; it fails on all else."""

    def __init__(self, width: int, height: int) -> None:
        """So large, and empty."""
        super().__init__()
        self.size = os.terminal_size((width, height))
        self.rows: list[str] = [""]
        self.row = 0

    def write(self, text: str) -> int:
        """Show it."""
        for token in _tokens(text):
            self._show(token)
        assert len(self.rows) - self.row <= self.size.lines, "more lines than the terminal has"
        return len(text)

    def _show(self, token: re.Match[str]) -> None:
        count, command, colour, move, plain = token.groups()
        if command == "A":
            self.row -= int(count or 1)
            assert self.row >= 0, "above what was written"
        elif command == "J":
            self.rows[self.row :] = [""]
        elif move == "\n":
            self.row += 1
            self.rows += [""] * (self.row + 1 - len(self.rows))
        elif plain is not None:
            assert len(plain) < self.size.columns, "a line that wraps"
            self.rows[self.row] = plain
        else:
            assert (command, colour, move) in {
                ("K", None, None),
                (None, colour, None),
                ("m", None, None),
                (None, None, "\r"),
            }

    @property
    def shown(self) -> list[str]:
        """The lines with something on them."""
        return [row.rstrip() for row in self.rows if row.strip()]


def _tokens(text: str) -> Iterator[re.Match[str]]:
    end = 0
    for token in _TOKEN.finditer(text):
        assert token.start() == end, f"unknown: {text[end : token.start()]!r}"
        end = token.end()
        yield token
    assert end == len(text)


def sampled(end: End, rate: float = 941e6) -> Sampled:
    """What one end does."""
    return Sampled(
        trial="t2",
        end=end,
        host=f"host-{end}",
        link="eth0",
        direction=Direction.NEAR_TO_FAR,
        seconds=0.5,
        sent_bps=rate if end is End.NEAR else 0.0,
        received_bps=rate if end is End.FAR else 0.0,
        retransmits_per_second=3.0 if end is End.NEAR else 0.0,
        cpus=(Cpu(number=1, busy=0.5, softirq=0.25),),
    )


def pane(width: int = 80, height: int = 24, *, colour: bool = False) -> tuple[Pane, Screen, FakeClock]:
    """A picture, its terminal, and its clock."""
    screen, clock = Screen(width, height), FakeClock()
    return Pane(screen, clock.now, lambda: screen.size, colour=colour), screen, clock


def test_a_step_is_shown_at_once() -> None:
    """With how long it takes."""
    picture, screen, clock = pane()
    picture.tell(PHASE)
    clock.sleep(3)
    picture.tell(sampled(End.NEAR))
    assert "measuring tcp 1 flow near to far, port 5201  3 of about 5 s" == screen.shown[0]


@pytest.mark.parametrize("colour", [False, True])
def test_it_is_drawn_in_place(colour: bool) -> None:  # noqa: FBT001 - a parameter
    """A hundred looks take as many lines as one."""
    picture, screen, _ = pane(colour=colour)
    picture.tell(PHASE)
    for _ in range(50):
        picture.tell(sampled(End.NEAR))
        picture.tell(sampled(End.FAR))
    assert 6 == len(screen.shown)
    assert 7 == len(screen.rows)


def test_a_smaller_picture_leaves_nothing_of_a_larger_one() -> None:
    """The next step has no figures yet."""
    picture, screen, _ = pane()
    for event in (PHASE, sampled(End.NEAR), PhaseBegan(name="waiting", seconds=0)):
        picture.tell(event)
    assert ["waiting"] == screen.shown


def test_a_notice_stays_above() -> None:
    """What is worth keeping scrolls by."""
    picture, screen, _ = pane()
    for event in (PHASE, Noted(text="port 5201 is busy"), sampled(End.NEAR)):
        picture.tell(event)
    assert ["port 5201 is busy", "measuring"] == [line[:17].split(" tcp")[0] for line in screen.shown[:2]]


def test_clear_makes_way() -> None:
    """A question, or the answer, begins where the picture did; the next event draws it again."""
    picture, screen, _ = pane()
    picture.tell(PHASE)
    picture.clear()
    assert ([], 0) == (screen.shown, screen.row)
    picture.tell(PHASE)
    assert 1 == len(screen.shown)


@pytest.mark.parametrize("height", range(1, 10))
@pytest.mark.parametrize("width", [8, 20, 40, 80, 120])
def test_it_fits_every_window(width: int, height: int) -> None:
    """No line wraps, and no more lines are written than the window has (the screen above fails otherwise)."""
    picture, screen, _ = pane(width, height)
    for event in (PHASE, SUSPECTED, sampled(End.NEAR), sampled(End.FAR)):
        picture.tell(event)
    assert min(height - 1, 7) == len(screen.shown)


def test_it_shrinks_with_the_window() -> None:
    """What a narrower window has wrapped is taken away too."""
    picture, screen, _ = pane(120, 24)
    for event in (PHASE, sampled(End.NEAR), sampled(End.FAR)):
        picture.tell(event)
    rows = [row for row in screen.rows if row]
    width = 60
    wrapped = [part for row in rows for part in (row[:width], row[width:]) if part.strip() or part == row[:width]]
    screen.rows, screen.row, screen.size = [*wrapped, ""], len(wrapped), os.terminal_size((width, 24))
    picture.tell(sampled(End.NEAR))
    assert 6 == len(screen.shown)
    assert screen.shown[0].startswith("measuring")


def test_foreign_strings_are_harmless() -> None:
    """A far host cannot steer the terminal: the screen above knows no other sequences."""
    picture, screen, _ = pane()
    for event in (
        PhaseBegan(name="\x1b[2J\x07", seconds=0),
        Noted(text="\x1b]0;x\x07"),
        Suspected(cause="path-loss", end="path", confidence=Confidence.LOW, sentence="\x9b2J\u202e"),
    ):
        picture.tell(event)
    expected = ["\\x1b]0;x\\x07", "\\x1b[2J\\x07", "suspect: path-loss (sure: low): \\x9b2J\\u202e"]
    assert expected == screen.shown


def one_line(width: int = 80) -> tuple[OneLine, Screen, FakeClock]:
    """The same on a dumb terminal."""
    screen, clock = Screen(width, 24), FakeClock()
    return OneLine(screen, clock.now, lambda: screen.size), screen, clock


def test_one_line_has_no_escapes() -> None:
    """A dumb terminal knows the carriage return."""
    stream = io.StringIO()
    line = OneLine(stream, FakeClock().now, lambda: os.terminal_size((80, 24)))
    for event in (PHASE, sampled(End.FAR), Noted(text="busy"), PhaseBegan(name="closing", seconds=0)):
        line.tell(event)
    line.clear()
    assert "\x1b" not in stream.getvalue()


def test_one_line_says_what_arrives() -> None:
    """How far the step is, and the rate at the receiver."""
    line, screen, clock = one_line()
    line.tell(PHASE)
    clock.sleep(2)
    line.tell(sampled(End.FAR, 940e6))
    line.tell(sampled(End.NEAR, 941e6))
    assert ["measuring tcp 1 flow near to far, port 5201  2 of about 5 s  940.0 Mbit/s"] == screen.shown


def test_one_line_leaves_nothing_of_a_longer_one() -> None:
    """It is filled up with blanks; a notice keeps a line of its own."""
    line, screen, _ = one_line()
    for event in (PHASE, PhaseBegan(name="closing", seconds=0), Noted(text="busy")):
        line.tell(event)
    assert ["busy", "closing"] == screen.shown
    line.clear()
    assert ["busy"] == screen.shown


def test_the_size_of_what_is_no_terminal() -> None:
    """There is always one."""
    assert size_of(io.StringIO())().columns > 0
