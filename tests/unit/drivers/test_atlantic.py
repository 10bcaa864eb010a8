"""The recipe of atlantic."""

import pytest

from fullrate.drivers.atlantic import RECIPE
from unit.drivers.recipes import read, unread


@pytest.mark.parametrize(
    ("name", "meaning"),
    [
        ("InDroppedDma", "ring_full"),
        ("InErrors", "damaged"),
        ("Queue[7] InPackets", "queue_received"),
    ],
)
def test_counter_has_one_meaning(name: str, meaning: str) -> None:
    """A name as the driver prints it is read as what it counts, and as nothing else."""
    assert [meaning] == read(RECIPE, name)


def test_near_misses_have_no_meaning() -> None:
    """Counters that sound alike, sums of others and other troubles are left alone."""
    names = ["InPacketsDma", "Queue[0] InErrors", "Queue[0] Restarts"]
    assert names == unread(RECIPE, names)
