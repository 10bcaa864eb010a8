"""The recipe of mlx4_en."""

import pytest

from fullrate.drivers.mlx4_en import RECIPE
from unit.drivers.recipes import read, unread


@pytest.mark.parametrize(
    ("name", "meaning"),
    [
        ("rx_dropped", "ring_full"),
        ("rx_fifo_errors", "ring_full"),
        ("rx_crc_errors", "damaged"),
        ("rx_pause", "pause_received"),
        ("rx_pause_duration", "pause_time_received"),
        ("tx_pause", "pause_sent"),
        ("tx_pause_duration", "pause_time_sent"),
        ("tx_timeout", "transmit_stuck"),
        ("rx7_packets", "queue_received"),
    ],
)
def test_counter_has_one_meaning(name: str, meaning: str) -> None:
    """A name as the driver prints it is read as what it counts, and as nothing else."""
    assert [meaning] == read(RECIPE, name)


def test_near_misses_have_no_meaning() -> None:
    """Counters that sound alike, sums of others and other troubles are left alone."""
    names = ["rx0_dropped", "rx_pause_prio_0", "rx_pause_transition", "rx_jabbers"]
    assert names == unread(RECIPE, names)
