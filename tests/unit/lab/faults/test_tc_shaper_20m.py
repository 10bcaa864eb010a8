"""A slow token bucket on near's interface."""

from fault_steps import lines
from fullrate.lab.faults.tc_shaper_20m import FAULT
from fullrate.records.ends import Direction


def test_inject() -> None:
    """Near's interface lets 20 Mbit/s out."""
    expected = ["near: tc qdisc replace dev wire0 root tbf rate 20mbit burst 131072 limit 1000000"]
    assert expected == lines(FAULT.inject)


def test_heal() -> None:
    """The shaper is removed."""
    expected = ["near: tc qdisc del dev wire0 root"]
    assert expected == lines(FAULT.heal)


def test_direction() -> None:
    """Only what near sends is slow."""
    assert Direction.NEAR_TO_FAR is FAULT.direction
