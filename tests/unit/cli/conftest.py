"""What the tests of the command line share: the command, and hand-made runs for it to print."""

import importlib
from collections.abc import Callable
from pathlib import Path

import pytest

from fullrate.records.codec import decode_run
from fullrate.records.run import Run

RUNS = Path(__file__).parents[2] / "fixtures/runs"


@pytest.fixture
def fullrate(monkeypatch: pytest.MonkeyPatch) -> Callable[..., int]:
    """The command: takes words, gives the exit code. It leaves the test's own signals alone."""
    module = importlib.import_module("fullrate.cli.main")
    monkeypatch.setattr(module, "_end_in_order", lambda: None)
    return lambda *words: module.main(list(words))


@pytest.fixture(scope="session")
def full() -> Run:
    """A run of a full link."""
    return decode_run((RUNS / "full.json").read_bytes())


@pytest.fixture(scope="session")
def not_full() -> Run:
    """A run of a link that is not full."""
    return decode_run((RUNS / "not_full.json").read_bytes())
