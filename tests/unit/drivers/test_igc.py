"""The recipe of igc."""

import pytest

from fullrate.drivers.igc import RECIPE
from unit.drivers.recipes import read, unread


@pytest.mark.parametrize(
    ("name", "meaning"),
    [
        ("rx_missed_errors", "ring_full"),
        ("rx_queue_3_drops", "ring_full"),
        ("rx_crc_errors", "damaged"),
        ("rx_align_errors", "damaged"),
        ("rx_flow_control_xoff", "pause_received"),
        ("tx_flow_control_xoff", "pause_sent"),
        ("tx_timeout_count", "transmit_stuck"),
        ("rx_queue_3_packets", "queue_received"),
    ],
)
def test_counter_has_one_meaning(name: str, meaning: str) -> None:
    """A name as the driver prints it is read as what it counts, and as nothing else."""
    assert [meaning] == read(RECIPE, name)


def test_near_misses_have_no_meaning() -> None:
    """Counters that sound alike, sums of others and other troubles are left alone."""
    names = ["rx_no_buffer_count", "tx_lpi_counter", "rx_flow_control_xon"]
    assert names == unread(RECIPE, names)
