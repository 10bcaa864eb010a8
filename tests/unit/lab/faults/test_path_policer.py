"""A policer on the way."""

from fault_steps import lines
from fullrate.lab.fault import filtering
from fullrate.lab.faults.path_policer import FAULT
from fullrate.lab.topology import Place
from fullrate.records.ends import Direction


def test_inject() -> None:
    """The router drops what comes from near above the rate, and counts nothing."""
    expected = ["router: nft -f -"]
    assert expected == lines(FAULT.inject)


def test_rules() -> None:
    """The rules stand at the forward hook, in the fault's own table."""
    rules = ['iifname "wire-a" limit rate over 40 mbytes/second burst 200 kbytes drop']
    assert filtering(Place.ROUTER, "forward", *rules) == FAULT.inject[-1]


def test_heal() -> None:
    """The rule is removed."""
    expected = ["router: nft -f -"]
    assert expected == lines(FAULT.heal)


def test_direction() -> None:
    """Only what near sends is slow."""
    assert Direction.NEAR_TO_FAR is FAULT.direction
