"""A command that speaks through its pipes, like ssh: started, spoken to, ended on every path."""

import contextlib
import subprocess
import tempfile
import threading
from collections.abc import Sequence
from typing import IO, cast

from fullrate.records.units import Seconds


class CommandPipes:
    """The pipes of a command; what it says on stderr goes to a file that nobody else sees."""

    def __init__(self, argv: Sequence[str]) -> None:
        """Start it, in a session of its own: Ctrl-C at the terminal ends the job in order."""
        self._words = tempfile.TemporaryFile()  # noqa: SIM115 - it lives as long as the connection
        self._process = subprocess.Popen(
            argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._words, start_new_session=True
        )
        self._to, self._from = cast("IO[bytes]", self._process.stdin), cast("IO[bytes]", self._process.stdout)
        self._writing = threading.Lock()

    def write(self, data: bytes) -> None:
        """Send all of it. Raises OSError, or ValueError when it was closed meanwhile."""
        with self._writing:
            self._to.write(data)
            self._to.flush()

    def complaints(self) -> bytes:
        """What it said on stderr."""
        self._words.seek(0)
        return self._words.read()

    def end(self, within: Seconds) -> None:
        """Close its input and wait so long for its end; then end it."""
        with contextlib.suppress(OSError):  # what it did not take any more
            self._to.close()
        waiting = threading.Thread(target=self._process.wait, daemon=True)  # wait(timeout) looks every 50 ms
        waiting.start()
        waiting.join(within)
        if waiting.is_alive():
            self._process.kill()
        waiting.join()

    def close(self) -> None:
        """Close what is left open of an ended one."""
        self._from.close()
        self._words.close()
