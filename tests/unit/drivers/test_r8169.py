"""The recipe of r8169."""

import pytest

from fullrate.drivers.r8169 import RECIPE
from unit.drivers.recipes import read, unread


@pytest.mark.parametrize(
    ("name", "meaning"),
    [
        ("rx_missed", "ring_full"),
        ("align_errors", "damaged"),
    ],
)
def test_counter_has_one_meaning(name: str, meaning: str) -> None:
    """A name as the driver prints it is read as what it counts, and as nothing else."""
    assert [meaning] == read(RECIPE, name)


def test_near_misses_have_no_meaning() -> None:
    """Counters that sound alike, sums of others and other troubles are left alone."""
    names = ["rx_errors", "tx_aborted", "tx_underrun", "multicast"]
    assert names == unread(RECIPE, names)


def test_habits() -> None:
    """What holds for every link of this driver."""
    assert RECIPE.single_queue
