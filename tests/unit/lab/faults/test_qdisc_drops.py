"""A short queue on near's interface."""

from fault_steps import lines
from fullrate.lab.faults.qdisc_drops import FAULT
from fullrate.records.ends import Direction


def test_inject() -> None:
    """Near's queue holds 4 kB, its rate is above the wire's."""
    expected = ["near: tc qdisc replace dev wire0 root tbf rate 1gbit burst 66000 limit 4000"]
    assert expected == lines(FAULT.inject)


def test_heal() -> None:
    """The queue is removed."""
    expected = ["near: tc qdisc del dev wire0 root"]
    assert expected == lines(FAULT.heal)


def test_direction() -> None:
    """Only what near sends is slow."""
    assert Direction.NEAR_TO_FAR is FAULT.direction
