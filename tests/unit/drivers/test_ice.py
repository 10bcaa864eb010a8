"""The recipe of ice."""

import pytest

from fullrate.drivers.ice import RECIPE
from unit.drivers.recipes import read, unread


@pytest.mark.parametrize(
    ("name", "meaning"),
    [
        ("rx_dropped", "ring_full"),
        ("rx_dropped.nic", "ring_full"),
        ("rx_crc_errors.nic", "damaged"),
        ("link_xoff_rx.nic", "pause_received"),
        ("link_xoff_tx.nic", "pause_sent"),
        ("tx_timeout.nic", "transmit_stuck"),
        ("rx_queue_12_packets", "queue_received"),
    ],
)
def test_counter_has_one_meaning(name: str, meaning: str) -> None:
    """A name as the driver prints it is read as what it counts, and as nothing else."""
    assert [meaning] == read(RECIPE, name)


def test_near_misses_have_no_meaning() -> None:
    """Counters that sound alike, sums of others and other troubles are left alone."""
    names = ["tx_dropped_link_down.nic", "illegal_bytes.nic", "link_xon_rx.nic", "tx_busy"]
    assert names == unread(RECIPE, names)
