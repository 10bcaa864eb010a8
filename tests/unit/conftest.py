"""What all unit tests share: a lock of the practice network that is none of this machine's."""

from pathlib import Path

import pytest

LOCK = "lab.lock"


@pytest.fixture(autouse=True)
def lab_lock(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the lock of the practice network is for this test."""
    path = tmp_path_factory.getbasetemp() / "lab" / LOCK
    monkeypatch.setattr("fullrate.lab.lock.PATH", path)
    return path
