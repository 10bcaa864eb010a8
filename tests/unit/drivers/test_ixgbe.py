"""The recipe of ixgbe."""

import pytest

from fullrate.drivers.ixgbe import RECIPE
from unit.drivers.recipes import read, unread


@pytest.mark.parametrize(
    ("name", "meaning"),
    [
        ("rx_missed_errors", "ring_full"),
        ("rx_no_dma_resources", "ring_full"),
        ("rx_crc_errors", "damaged"),
        ("rx_flow_control_xoff", "pause_received"),
        ("tx_flow_control_xoff", "pause_sent"),
        ("tx_timeout_count", "transmit_stuck"),
        ("rx_queue_12_packets", "queue_received"),
    ],
)
def test_counter_has_one_meaning(name: str, meaning: str) -> None:
    """A name as the driver prints it is read as what it counts, and as nothing else."""
    assert [meaning] == read(RECIPE, name)


def test_near_misses_have_no_meaning() -> None:
    """Counters that sound alike, sums of others and other troubles are left alone."""
    names = ["rx_no_buffer_count", "rx_pb_0_pxoff", "tx_restart_queue", "rx_dropped"]
    assert names == unread(RECIPE, names)
