"""The live picture of a running job: some lines of a terminal that are drawn again in place.

No mode of the terminal is changed, so none has to be restored: what is written is text, colours that end on their line,
and three control sequences (ECMA-48): CUU, cursor up; EL and ED, erase to the end of the line and of the screen.
"""

import os
import shutil
from collections.abc import Callable, Sequence
from typing import TextIO

from fullrate.records.event import AnyEvent, Noted, PhaseBegan
from fullrate.records.progress import Progress
from fullrate.records.units import Seconds
from fullrate.report.layout import Line, join
from fullrate.report.live import Board
from fullrate.report.spark import can_show
from fullrate.report.width import columns
from fullrate.report.words import neutral

_ERASE_LINE, _ERASE_BELOW = "\x1b[K", "\x1b[J"
Size = Callable[[], os.terminal_size]


class Pane(Progress):
    """Several lines at the bottom; notices scroll by above them."""

    def __init__(self, stream: TextIO, clock: Callable[[], Seconds], size: Size, *, colour: bool) -> None:
        """Draw on `stream`, a terminal that is so large at each moment."""
        self._stream = stream
        self._clock = clock
        self._size = size
        self._colour = colour
        self._board = Board()
        self._since: Seconds = clock()
        self._drawn: Sequence[Line] = ()

    def tell(self, event: AnyEvent) -> None:
        """Show it."""
        if isinstance(event, PhaseBegan):
            self._since = self._clock()
        self._board.take(event)
        self._draw(f"{neutral(event.text)}{_ERASE_LINE}\n" if isinstance(event, Noted) else "")

    def clear(self) -> None:
        """Take the picture away until the next event."""
        self._write(self._home() + _ERASE_BELOW)
        self._drawn = ()

    def _draw(self, above: str) -> None:
        size, home = self._size(), self._home()
        # One column and one line stay free: a terminal wraps, or scrolls, when its last one is filled.
        lines = self._board.lines(
            self._clock() - self._since, size.columns - 1, size.lines - 1, blocks=can_show(self._stream.encoding)
        )
        text = join(lines, colour=self._colour).replace("\n", f"{_ERASE_LINE}\n")
        self._write(home + above + text + _ERASE_BELOW)
        self._drawn = lines

    def _home(self) -> str:
        """To the first line of what was drawn, which takes more of them since the window became narrower."""
        width = max(1, self._size().columns)
        rows = sum(max(1, -(-columns(line.text) // width)) for line in self._drawn)
        return f"\r\x1b[{rows}A" if rows else "\r"

    def _write(self, text: str) -> None:
        self._stream.write(text)
        self._stream.flush()


class OneLine(Progress):
    """One line that is written over again and again, where a terminal knows nothing but the carriage return."""

    def __init__(self, stream: TextIO, clock: Callable[[], Seconds], size: Size) -> None:
        """Draw on `stream`, a terminal that is so large at each moment."""
        self._stream = stream
        self._clock = clock
        self._size = size
        self._board = Board()
        self._since: Seconds = clock()
        self._length = 0

    def tell(self, event: AnyEvent) -> None:
        """Show it; a notice keeps its own line."""
        if isinstance(event, PhaseBegan):
            self._since = self._clock()
        if isinstance(event, Noted):
            self.clear()
            self._stream.write(f"{neutral(event.text)}\n")
        self._board.take(event)
        self._draw(self._board.line(self._clock() - self._since, self._size().columns - 1))

    def clear(self) -> None:
        """Take the line away until the next event."""
        self._draw("")
        self._stream.write("\r")
        self._stream.flush()

    def _draw(self, text: str) -> None:
        self._stream.write("\r" + text + " " * (self._length - columns(text)))
        self._stream.flush()
        self._length = columns(text)


def size_of(stream: TextIO) -> Size:
    """What tells the size of the terminal that a stream writes to, which is not always that of stdout."""

    def size() -> os.terminal_size:
        try:
            return os.get_terminal_size(stream.fileno())
        except (OSError, ValueError):
            return shutil.get_terminal_size()

    return size
