"""The recipe of virtio_net."""

import pytest

from fullrate.drivers.virtio_net import RECIPE
from unit.drivers.recipes import read, unread, unrecorded


@pytest.mark.parametrize(
    ("name", "meaning"),
    [
        ("tx_queue_0_tx_timeouts", "transmit_stuck"),
        ("tx0_tx_timeouts", "transmit_stuck"),
        ("rx_queue_1_packets", "queue_received"),
    ],
)
def test_counter_has_one_meaning(name: str, meaning: str) -> None:
    """A name as the driver prints it is read as what it counts, and as nothing else."""
    assert [meaning] == read(RECIPE, name)


def test_near_misses_have_no_meaning() -> None:
    """Counters that sound alike, sums of others and other troubles are left alone."""
    names = ["tx_tx_timeouts", "rx_drops", "rx0_xdp_drops", "tx0_kicks"]
    assert names == unread(RECIPE, names)


def test_every_pattern_is_recorded() -> None:
    """No pattern names a counter that both recorded generations of the driver lack."""
    assert [] == unrecorded(RECIPE, "debian12/virtio_net/ethtool_S.txt", "debian13/virtio_net/ethtool_S.txt")


def test_habits() -> None:
    """What holds for every link of this driver."""
    assert RECIPE.label_speed
