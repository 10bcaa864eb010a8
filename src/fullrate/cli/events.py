"""The stream of --events: what happens, one JSON object a line, for other programs. It never holds up a measurement."""

import os
import select
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from fullrate.records.errors import UsageError
from fullrate.records.event import AnyEvent, encode_event
from fullrate.records.progress import Progress
from fullrate.records.units import MILLISECONDS, Seconds

_MOST_WAITING = 1 << 20  # bytes, some 2000 events: a reader that far behind reads no more
_LAST_WITHIN: Seconds = 2.0  # for a slow reader, once the measurement is over


class EventFile(Progress):
    """A file, or a pipe that another program reads. What cannot be written is left out, and that is said once."""

    def __init__(self, descriptor: int, complain: Callable[[str], None]) -> None:
        """Write to `descriptor`, which does not block."""
        self._descriptor = descriptor
        self._complain = complain
        self._waiting = b""
        self._broken = False

    @classmethod
    @contextmanager
    def opened(cls, path: Path, complain: Callable[[str], None]) -> "Iterator[EventFile]":
        """A new file at `path`; a FIFO is waited for until it is read. Raises UsageError when it cannot be written."""
        try:
            descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o666)
        except OSError as error:
            raise UsageError(f"cannot write the events: {error}; name another file with --events") from error
        try:
            os.set_blocking(descriptor, False)
            file = cls(descriptor, complain)
            try:
                yield file
            finally:
                file.finish(time.monotonic)
        finally:
            os.close(descriptor)

    def tell(self, event: AnyEvent) -> None:
        """Write it at once, as far as the reader takes it."""
        if self._broken:
            return
        self._waiting += encode_event(event)
        self._flush()
        if len(self._waiting) > _MOST_WAITING:
            self._give_up("its reader does not read")

    def clear(self) -> None:
        """Nothing of it is on the terminal."""

    def finish(self, clock: Callable[[], Seconds]) -> None:
        """Write what still waits, for a while."""
        until = clock() + _LAST_WITHIN
        poll = select.poll()
        poll.register(self._descriptor, select.POLLOUT)
        while self._waiting and (left := until - clock()) > 0:
            poll.poll(left * MILLISECONDS)
            self._flush()

    def _flush(self) -> None:
        try:
            while self._waiting:
                self._waiting = self._waiting[os.write(self._descriptor, self._waiting) :]
        except BlockingIOError:
            return
        except BrokenPipeError:
            self._give_up("")  # its reader has seen enough: that is no error
        except OSError as error:
            self._give_up(str(error.strerror))

    def _give_up(self, why: str) -> None:
        self._broken, self._waiting = True, b""
        if why:
            self._complain(f"the events of --events end here: {why}; the measurement goes on")
