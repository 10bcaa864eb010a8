"""The recipe of r8125."""

import pytest

from fullrate.drivers.r8125 import RECIPE
from unit.drivers.recipes import read, unread


@pytest.mark.parametrize(
    ("name", "meaning"),
    [
        ("rx_missed", "ring_full"),
        ("align_errors", "damaged"),
        ("rx_pause_on", "pause_received"),
        ("tx_pause_on", "pause_sent"),
    ],
)
def test_counter_has_one_meaning(name: str, meaning: str) -> None:
    """A name as the driver prints it is read as what it counts, and as nothing else."""
    assert [meaning] == read(RECIPE, name)


def test_near_misses_have_no_meaning() -> None:
    """Counters that sound alike, sums of others and other troubles are left alone."""
    names = ["rx_errors", "rx_pause_off", "rx_pause_all", "align_errors32"]
    assert names == unread(RECIPE, names)
