"""A rule of far's own that limits."""

from fault_steps import lines
from fullrate.lab.fault import filtering
from fullrate.lab.faults.netfilter_limit_far import FAULT
from fullrate.lab.topology import Place
from fullrate.records.ends import Direction


def test_inject() -> None:
    """Far's input drops what exceeds the rate, and counts it."""
    expected = ["far: nft -f -"]
    assert expected == lines(FAULT.inject)


def test_rules() -> None:
    """The rules stand at the input hook, in the fault's own table."""
    rules = ["limit rate over 100 mbytes/second burst 500 kbytes counter drop"]
    assert filtering(Place.FAR, "input", *rules) == FAULT.inject[-1]


def test_heal() -> None:
    """The rule is removed."""
    expected = ["far: nft -f -"]
    assert expected == lines(FAULT.heal)


def test_direction() -> None:
    """Only what near sends is slow."""
    assert Direction.NEAR_TO_FAR is FAULT.direction
