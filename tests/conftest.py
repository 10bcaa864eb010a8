"""What all tests share: the marker of slow lab tests, and that thousands of tests take seconds."""

import gc
import signal
from types import FrameType
from typing import NoReturn

import pytest
from hypothesis import settings

# A collection walks over every test item and every parsed module: at pytest's 8000 items that is a tenth of the time.
_RARELY = 200_000  # new objects between two of them
_EXAMPLES = 40  # of each property: its tests run on every commit, and the failures kept are tried first


def _stop(number: int, _: FrameType | None) -> NoReturn:
    """Leave by an exception, so that fixtures take down the namespaces and servers they made."""
    pytest.exit(f"ended by signal {number}", returncode=128 + number)


def pytest_configure(config: pytest.Config) -> None:
    """Name the marker that `bin/test` leaves out of the lab's short tests; end cleanly by SIGTERM; collect seldom."""
    config.addinivalue_line("markers", "long: a lab test of more than half a minute (bin/test --lab runs it)")
    signal.signal(signal.SIGTERM, _stop)
    gc.set_threshold(_RARELY, 20, 20)
    settings.register_profile("quick", max_examples=_EXAMPLES, deadline=None)
    settings.load_profile("quick")


def pytest_collection_finish() -> None:
    """Leave the collected items out of every later collection of garbage."""
    gc.freeze()
