"""The recipe of gve."""

import pytest

from fullrate.drivers.gve import RECIPE
from unit.drivers.recipes import read, unread


@pytest.mark.parametrize(
    ("name", "meaning"),
    [
        ("rx_no_buffers_posted[0]", "ring_full"),
        ("rx_queue_drop_cnt[11]", "ring_full"),
        ("tx_timeouts", "transmit_stuck"),
    ],
)
def test_counter_has_one_meaning(name: str, meaning: str) -> None:
    """A name as the driver prints it is read as what it counts, and as nothing else."""
    assert [meaning] == read(RECIPE, name)


def test_near_misses_have_no_meaning() -> None:
    """Counters that sound alike, sums of others and other troubles are left alone."""
    names = ["rx_dropped_pkt[0]", "tx_stop[0]", "rx_dropped"]
    assert names == unread(RECIPE, names)
