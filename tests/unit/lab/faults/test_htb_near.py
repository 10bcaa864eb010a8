"""A class of htb on near's fast interface."""

from fault_steps import lines
from fullrate.lab.faults.htb_near import FAULT
from fullrate.records.ends import Direction


def test_inject() -> None:
    """Near's fast interface lets 1 Gbit/s out."""
    expected = [
        "near: tc qdisc replace dev cpu0 root handle 1: htb default 10",
        "near: tc class add dev cpu0 parent 1: classid 1:10 htb rate 1gbit burst 262144 cburst 262144",
    ]
    assert expected == lines(FAULT.inject)


def test_heal() -> None:
    """The shaper is removed with its class."""
    expected = ["near: tc qdisc del dev cpu0 root"]
    assert expected == lines(FAULT.heal)


def test_direction() -> None:
    """Only what near sends is slow."""
    assert Direction.NEAR_TO_FAR is FAULT.direction
