"""One command at a time: a file that is locked while a command is at work, and names it."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from fullrate.records.errors import RefusedError


@contextmanager
def alone(path: Path, what: str) -> Iterator[None]:
    """The lock held for `what`; the kernel frees it however this process ends. Raises RefusedError with the holder.

    flock(2) binds it to the open file, which no program that we start inherits (PEP 446). What this process does while
    it holds the lock passes. Where no lock can be had (not root), nothing is held: what needs root refuses by itself.
    """
    try:
        held = _take(path, what)
    except OSError:
        held = None
    try:
        yield
    finally:
        if held is not None:
            _give_back(path, held)


def _take(path: Path, what: str) -> int | None:
    """The locked file; None when this process has it locked already. Raises RefusedError, OSError."""
    while True:
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            file = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        except FileNotFoundError:  # the folder went with the file of the one before
            continue
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            pid, _, command = os.pread(file, 200, 0).decode(errors="replace").partition(" ")
            os.close(file)
            if pid == str(os.getpid()):
                return None
            raise RefusedError(_sentence(pid, command)) from None
        if _is_there(path, file):  # else the one who held it has just removed it
            os.ftruncate(file, 0)
            os.pwrite(file, f"{os.getpid()} {what}".encode(), 0)
            return file
        os.close(file)


def _sentence(pid: str, command: str) -> str:
    """Who is at work, as far as it has written that down yet."""
    who = f"`fullrate {command}` (process {pid})" if command else "another fullrate command"
    return f"{who} is at work in the lab: wait for its end, then try again"


def _is_there(path: Path, file: int) -> bool:
    """Whether the path still leads to this very file."""
    with suppress(FileNotFoundError):
        return os.path.samestat(path.stat(), os.fstat(file))
    return False


def _give_back(path: Path, file: int) -> None:
    """Remove the file while it is still locked, then its folder unless something else is in it."""
    path.unlink(missing_ok=True)
    os.close(file)
    with suppress(OSError):
        path.parent.rmdir()
