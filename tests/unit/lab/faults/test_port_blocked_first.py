"""Some test ports of far's are filtered."""

from fault_steps import lines
from fullrate.lab.fault import filtering
from fullrate.lab.faults.port_blocked_first import FAULT
from fullrate.lab.topology import Place
from fullrate.records.ends import Direction


def test_inject() -> None:
    """Far drops the first SYN to the first three ports, and counts it."""
    expected = ["far: nft -f -"]
    assert expected == lines(FAULT.inject)


def test_rules() -> None:
    """The rules stand at the input hook, in the fault's own table."""
    rules = ["tcp dport 5201-5203 tcp flags & (syn | ack) == syn counter drop"]
    assert filtering(Place.FAR, "input", *rules) == FAULT.inject[-1]


def test_heal() -> None:
    """The rule is removed."""
    expected = ["far: nft -f -"]
    assert expected == lines(FAULT.heal)


def test_direction() -> None:
    """It shows in both directions alike."""
    assert Direction.BOTH is FAULT.direction
