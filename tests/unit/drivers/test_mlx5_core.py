"""The recipe of mlx5_core."""

import pytest

from fullrate.drivers.mlx5_core import RECIPE
from fullrate.records.evidence import query
from fullrate.records.recipe import matching
from fullrate.sources.ethtool_statistics import parse
from tool_output import recorded
from unit.drivers.recipes import read, unread


@pytest.mark.parametrize(
    ("name", "meaning"),
    [
        ("rx_out_of_buffer", "ring_full"),
        ("rx_discards_phy", "bus_slow"),
        ("outbound_pci_buffer_overflow", "bus_slow"),
        ("rx_crc_errors_phy", "damaged"),
        ("rx_pause_ctrl_phy", "pause_received"),
        ("rx_global_pause_duration", "pause_time_received"),
        ("tx_recover", "transmit_stuck"),
        ("rx7_packets", "queue_received"),
    ],
)
def test_counter_has_one_meaning(name: str, meaning: str) -> None:
    """A name as the driver prints it is read as what it counts, and as nothing else."""
    assert [meaning] == read(RECIPE, name)


def test_near_misses_have_no_meaning() -> None:
    """Counters that sound alike, sums of others and other troubles are left alone."""
    names = ["rx_steer_missed_packets", "tx_discards_phy", "rx_global_pause", "outbound_pci_stalled_wr", "tx0_recover"]
    assert names == unread(RECIPE, names)


def test_recorded_pause_is_read() -> None:
    """The frames and the time of a real port that held its partner back."""
    (fact,) = parse(query("ethtool", "-S", "eth03"), recorded("phy/ethtool_S_mlx5_pause.txt"))
    assert {"tx_pause_ctrl_phy": 1266552, "tx_global_pause_duration": 555665182} == {
        name: fact.counters[name] for name in matching(fact.counters, RECIPE.pause_sent + RECIPE.pause_time_sent)
    }
