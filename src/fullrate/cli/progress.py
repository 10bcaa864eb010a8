"""Progress for a person who waits, and for other programs: three views of one stream of events.

A live picture on a terminal, plain lines when asked for, else nothing; and JSON lines in the file of --events.
"""

import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Protocol, TextIO

from fullrate.cli.pane import OneLine, Pane, size_of
from fullrate.records.event import AnyEvent, Measured, Noted, PhaseBegan, Suspected
from fullrate.records.progress import Progress, Silence
from fullrate.records.units import Seconds
from fullrate.report import words
from fullrate.report.live import result, suspicion


class Shown(Progress, Protocol):
    """A progress that can make way for other output on the same terminal."""

    def clear(self) -> None:
        """Take what is live away until the next event."""


class Hidden(Silence):
    """Nobody watches."""

    def clear(self) -> None:
        """There is nothing to take away."""


class Lines(Progress):
    """One plain line for each notice, step, measurement and suspect."""

    def __init__(self, stream: TextIO) -> None:
        """Write to `stream`."""
        self._stream = stream

    def tell(self, event: AnyEvent) -> None:
        """Print what a log has use for."""
        text = _plain(event)
        if text:
            self._stream.write(f"{words.neutral(text)}\n")
            self._stream.flush()

    def clear(self) -> None:
        """There is no live line."""


def _plain(event: AnyEvent) -> str:
    match event:
        case Noted():
            return event.text
        case PhaseBegan():
            return f"{event.name} (about {event.seconds:.0f} s)" if event.seconds >= 1 else event.name
        case Measured():
            return "" if event.throughput_bps is None else f"measured {result(event)}"
        case Suspected():
            return suspicion(event)
        case _:
            return ""


class Views(Progress):
    """Several views of one stream; an event's time is set here."""

    def __init__(self, views: Sequence[Shown], clock: Callable[[], Seconds]) -> None:
        """Begin now."""
        self._views = views
        self._clock = clock
        self._began = clock()

    def tell(self, event: AnyEvent) -> None:
        """Pass it on to every view."""
        timed = replace(event, at=round(self._clock() - self._began, 3))
        for view in self._views:
            view.tell(timed)

    def clear(self) -> None:
        """Make way."""
        for view in self._views:
            view.clear()


@contextmanager
def showing(stream: TextIO, *, verbose: bool, events: Path | None = None) -> Iterator[Shown]:
    """The progress that suits the stream, and the file for other programs; what is live is gone afterwards."""
    view = _suited(stream, verbose=verbose)
    if events is None:
        with _cleared(view):
            yield view
        return
    from fullrate.cli.events import EventFile
    from fullrate.cli.output import complain

    tell = complain if isinstance(view, Hidden) else view.say
    with EventFile.opened(events, tell) as file, _cleared(view):
        yield Views((view, file), time.monotonic)


@contextmanager
def _cleared(view: Shown) -> Iterator[None]:
    try:
        yield
    finally:
        view.clear()


def _suited(stream: TextIO, *, verbose: bool) -> Shown:
    if verbose:
        return Lines(stream)
    if not stream.isatty():
        return Hidden()
    if os.environ.get("TERM", "dumb") == "dumb":
        return OneLine(stream, time.monotonic, size_of(stream))
    return Pane(stream, time.monotonic, size_of(stream), colour=not os.environ.get("NO_COLOR"))
