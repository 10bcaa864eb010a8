"""The recipe of vmxnet3."""

import pytest

from fullrate.drivers.vmxnet3 import RECIPE
from unit.drivers.recipes import read, unread, unrecorded


@pytest.mark.parametrize(
    ("name", "meaning"),
    [
        ("pkts rx OOB", "ring_full"),
        ("fcs", "damaged"),
        ("tx timeout count", "transmit_stuck"),
    ],
)
def test_counter_has_one_meaning(name: str, meaning: str) -> None:
    """A name as the driver prints it is read as what it counts, and as nothing else."""
    assert [meaning] == read(RECIPE, name)


def test_near_misses_have_no_meaning() -> None:
    """Counters that sound alike, sums of others and other troubles are left alone."""
    names = ["ring full", "pkts tx discard", "drv dropped rx total"]
    assert names == unread(RECIPE, names)


def test_every_pattern_is_recorded() -> None:
    """No pattern names a counter that both recorded generations of the driver lack."""
    assert [] == unrecorded(RECIPE, "debian12/vmxnet3/ethtool_S.txt", "debian13/vmxnet3/ethtool_S.txt")


def test_habits() -> None:
    """What holds for every link of this driver."""
    assert RECIPE.label_speed
