"""What all tests share: the marker of slow lab tests."""

import pytest


def pytest_configure(config: pytest.Config) -> None:
    """Name the marker that `bin/test` leaves out of the lab's short tests."""
    config.addinivalue_line("markers", "long: a lab test of more than half a minute (bin/test --lab runs it)")
