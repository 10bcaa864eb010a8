"""The recipe of e1000."""

import pytest

from fullrate.drivers.e1000 import RECIPE
from unit.drivers.recipes import read, unread, unrecorded


@pytest.mark.parametrize(
    ("name", "meaning"),
    [
        ("rx_missed_errors", "ring_full"),
        ("tx_timeout_count", "transmit_stuck"),
    ],
)
def test_counter_has_one_meaning(name: str, meaning: str) -> None:
    """A name as the driver prints it is read as what it counts, and as nothing else."""
    assert [meaning] == read(RECIPE, name)


def test_near_misses_have_no_meaning() -> None:
    """Counters that sound alike, sums of others and other troubles are left alone."""
    names = ["rx_no_buffer_count", "rx_frame_errors"]
    assert names == unread(RECIPE, names)


def test_every_pattern_is_recorded() -> None:
    """No pattern names a counter that both recorded generations of the driver lack."""
    assert [] == unrecorded(RECIPE, "debian12/e1000/ethtool_S.txt", "debian13/e1000/ethtool_S.txt")


def test_habits() -> None:
    """What holds for every link of this driver."""
    assert (True, True) == (RECIPE.single_queue, RECIPE.emulated)
