"""The recipe of tg3."""

import pytest

from fullrate.drivers.tg3 import RECIPE
from unit.drivers.recipes import read, unread


@pytest.mark.parametrize(
    ("name", "meaning"),
    [
        ("rx_discards", "ring_full"),
        ("rx_fcs_errors", "damaged"),
        ("rx_align_errors", "damaged"),
        ("rx_xoff_pause_rcvd", "pause_received"),
        ("tx_xoff_sent", "pause_sent"),
        ("dma_writeq_full", "bus_slow"),
        ("dma_write_prioq_full", "bus_slow"),
    ],
)
def test_counter_has_one_meaning(name: str, meaning: str) -> None:
    """A name as the driver prints it is read as what it counts, and as nothing else."""
    assert [meaning] == read(RECIPE, name)


def test_near_misses_have_no_meaning() -> None:
    """Counters that sound alike, sums of others and other troubles are left alone."""
    names = ["rxbds_empty", "rx_xon_pause_rcvd", "tx_discards", "dma_readq_full"]
    assert names == unread(RECIPE, names)
