"""The recipe of bnxt_en."""

import pytest

from fullrate.drivers.bnxt_en import RECIPE
from unit.drivers.recipes import read, unread


@pytest.mark.parametrize(
    ("name", "meaning"),
    [
        ("[0]: rx_discards", "ring_full"),
        ("[17]: rx_discards", "ring_full"),
        ("rx_total_oom_discards", "ring_full"),
        ("rx_fcs_err_frames", "damaged"),
        ("rx_align_err_frames", "damaged"),
        ("rx_pause_frames", "pause_received"),
        ("tx_pause_frames", "pause_sent"),
        ("[7]: rx_ucast_packets", "queue_received"),
    ],
)
def test_counter_has_one_meaning(name: str, meaning: str) -> None:
    """A name as the driver prints it is read as what it counts, and as nothing else."""
    assert [meaning] == read(RECIPE, name)


def test_near_misses_have_no_meaning() -> None:
    """Counters that sound alike, sums of others and other troubles are left alone."""
    names = ["[0]: tx_discards", "rx_total_ring_discards", "rx_pfc_frames", "0: rx_discards"]
    assert names == unread(RECIPE, names)
