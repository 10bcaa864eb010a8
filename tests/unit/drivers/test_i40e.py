"""The recipe of i40e."""

import pytest

from fullrate.drivers.i40e import RECIPE
from unit.drivers.recipes import read, unread


@pytest.mark.parametrize(
    ("name", "meaning"),
    [
        ("port.rx_discards", "ring_full"),
        ("port.rx_crc_errors", "damaged"),
        ("port.link_xoff_rx", "pause_received"),
        ("port.link_xoff_tx", "pause_sent"),
        ("port.tx_timeout", "transmit_stuck"),
        ("rx-12.packets", "queue_received"),
    ],
)
def test_counter_has_one_meaning(name: str, meaning: str) -> None:
    """A name as the driver prints it is read as what it counts, and as nothing else."""
    assert [meaning] == read(RECIPE, name)


def test_near_misses_have_no_meaning() -> None:
    """Counters that sound alike, sums of others and other troubles are left alone."""
    names = ["veb.rx_discards", "rx_crc_errors", "port.illegal_bytes", "port.link_xon_rx"]
    assert names == unread(RECIPE, names)
