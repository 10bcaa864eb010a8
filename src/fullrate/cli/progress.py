"""Progress for a person who waits: one live line on a terminal, plain lines when asked for, else nothing."""

import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Protocol, TextIO

from fullrate.records.progress import Progress, Silence
from fullrate.records.units import BitsPerSecond, Seconds
from fullrate.report import words

_ERASE = "\r\x1b[K"


class Shown(Progress, Protocol):
    """A progress that can make way for other output on the same terminal."""

    def clear(self) -> None:
        """Take the live line away until the next step or tick."""


class Hidden(Silence):
    """Nobody watches."""

    def clear(self) -> None:
        """There is nothing to take away."""


class Lines:
    """One plain line for each notice and each step."""

    def __init__(self, stream: TextIO) -> None:
        """Write to `stream`."""
        self._stream = stream

    def say(self, text: str) -> None:
        """Print the notice."""
        self._stream.write(f"{words.neutral(text)}\n")
        self._stream.flush()

    def phase(self, name: str, seconds: Seconds) -> None:
        """Print what begins."""
        self.say(f"{name} (about {seconds:.0f} s)" if seconds >= 1 else name)

    def tick(self, rate: BitsPerSecond) -> None:
        """Print nothing: a log has no use for it."""

    def clear(self) -> None:
        """There is no live line."""


class Live:
    """One line that is drawn again and again; notices stay above it."""

    def __init__(self, stream: TextIO, clock: Callable[[], Seconds], width: int) -> None:
        """Draw on `stream`, which is a terminal so wide."""
        self._stream = stream
        self._clock = clock
        self._width = width
        self._name = ""
        self._expected: Seconds = 0.0
        self._since: Seconds = 0.0

    def say(self, text: str) -> None:
        """Print the notice above the live line."""
        self._write(f"{_ERASE}{words.neutral(text)}\n")

    def phase(self, name: str, seconds: Seconds) -> None:
        """Show what begins."""
        self._name, self._expected, self._since = words.neutral(name), seconds, self._clock()
        self._draw("")

    def tick(self, rate: BitsPerSecond) -> None:
        """Show how far the step is, and the rate."""
        self._draw(words.rate(rate))

    def clear(self) -> None:
        """Take the live line away."""
        self._write(_ERASE)

    def _draw(self, figure: str) -> None:
        elapsed = self._clock() - self._since
        far = f"{elapsed:.0f} of about {self._expected:.0f} s" if self._expected >= 1 else ""
        self._write(_ERASE + "  ".join(filter(None, (self._name, far, figure)))[: self._width - 1])

    def _write(self, text: str) -> None:
        self._stream.write(text)
        self._stream.flush()


@contextmanager
def showing(stream: TextIO, *, verbose: bool) -> Iterator[Shown]:
    """The progress that suits the stream; its live line is gone afterwards."""
    progress = _suited(stream, verbose=verbose)
    try:
        yield progress
    finally:
        progress.clear()


def _suited(stream: TextIO, *, verbose: bool) -> Shown:
    if verbose:
        return Lines(stream)
    if stream.isatty():
        return Live(stream, time.monotonic, shutil.get_terminal_size().columns)
    return Hidden()
