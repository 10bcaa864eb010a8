"""The recipe of hv_netvsc."""

import pytest

from fullrate.drivers.hv_netvsc import RECIPE
from unit.drivers.recipes import read, unread


@pytest.mark.parametrize(
    ("name", "meaning"),
    [
        ("rx_no_memory", "ring_full"),
        ("rx_queue_1_packets", "queue_received"),
    ],
)
def test_counter_has_one_meaning(name: str, meaning: str) -> None:
    """A name as the driver prints it is read as what it counts, and as nothing else."""
    assert [meaning] == read(RECIPE, name)


def test_near_misses_have_no_meaning() -> None:
    """Counters that sound alike, sums of others and other troubles are left alone."""
    names = ["tx_no_memory", "tx_send_full", "rx_comp_busy"]
    assert names == unread(RECIPE, names)


def test_habits() -> None:
    """What holds for every link of this driver."""
    assert RECIPE.label_speed
