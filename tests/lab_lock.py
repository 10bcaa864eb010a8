"""The lock of the practice network in somebody else's hands."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def held(path: Path, text: str) -> Iterator[None]:
    """The lock as a process holds it that wrote this into it."""
    path.parent.mkdir()
    path.write_text(text)
    file = os.open(path, os.O_RDWR)
    fcntl.flock(file, fcntl.LOCK_EX)
    try:
        yield
    finally:
        os.close(file)
        path.unlink()
        path.parent.rmdir()
