"""The recipe of igb."""

import pytest

from fullrate.drivers.igb import RECIPE
from unit.drivers.recipes import read, unread, unrecorded


@pytest.mark.parametrize(
    ("name", "meaning"),
    [
        ("rx_missed_errors", "ring_full"),
        ("rx_queue_3_drops", "ring_full"),
        ("rx_crc_errors", "damaged"),
        ("rx_align_errors", "damaged"),
        ("rx_queue_3_packets", "queue_received"),
    ],
)
def test_counter_has_one_meaning(name: str, meaning: str) -> None:
    """A name as the driver prints it is read as what it counts, and as nothing else."""
    assert [meaning] == read(RECIPE, name)


def test_near_misses_have_no_meaning() -> None:
    """Counters that sound alike, sums of others and other troubles are left alone."""
    names = ["rx_no_buffer_count", "rx_errors", "tx_dropped", "rx_queue_0_alloc_failed"]
    assert names == unread(RECIPE, names)


def test_every_pattern_is_recorded() -> None:
    """No pattern names a counter that both recorded generations of the driver lack."""
    assert [] == unrecorded(RECIPE, "debian12/igb/ethtool_S.txt", "debian13/igb/ethtool_S.txt")
