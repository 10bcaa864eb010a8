"""What all unit tests share: a lock of the practice network that is none of this machine's."""

from collections.abc import Iterator
from pathlib import Path

import pytest

LOCK = "lab.lock"


@pytest.fixture(scope="session", autouse=True)
def lab_lock(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Where the lock of the practice network is for all these tests: to set it for each costs a second."""
    path = tmp_path_factory.getbasetemp() / "lab" / LOCK
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("fullrate.lab.lock.PATH", path)
        yield path
