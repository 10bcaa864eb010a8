"""The recipe of veth."""

import pytest

from fullrate.drivers.veth import RECIPE
from unit.drivers.recipes import read, unread, unrecorded


@pytest.mark.parametrize(
    ("name", "meaning"),
    [
        ("rx_queue_0_drops", "ring_full"),
        ("rx_queue_15_drops", "ring_full"),
    ],
)
def test_counter_has_one_meaning(name: str, meaning: str) -> None:
    """A name as the driver prints it is read as what it counts, and as nothing else."""
    assert [meaning] == read(RECIPE, name)


def test_near_misses_have_no_meaning() -> None:
    """Counters that sound alike, sums of others and other troubles are left alone."""
    names = ["rx_queue_0_xdp_drops", "tx_queue_0_xdp_xmit_errors"]
    assert names == unread(RECIPE, names)


def test_every_pattern_is_recorded() -> None:
    """No pattern names a counter that both recorded generations of the driver lack."""
    assert [] == unrecorded(RECIPE, "debian12/veth/ethtool_S.txt", "debian13/veth/ethtool_S.txt")


def test_habits() -> None:
    """What holds for every link of this driver."""
    assert RECIPE.label_speed
