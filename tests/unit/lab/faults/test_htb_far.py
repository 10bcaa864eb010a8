"""A class of htb on far's interface."""

from fault_steps import lines
from fullrate.lab.faults.htb_far import FAULT
from fullrate.records.ends import Direction


def test_inject() -> None:
    """All of far's traffic falls into a class of 200 Mbit/s."""
    expected = [
        "far: tc qdisc replace dev wire0 root handle 1: htb default 10",
        "far: tc class add dev wire0 parent 1: classid 1:10 htb rate 200mbit burst 131072 cburst 131072",
    ]
    assert expected == lines(FAULT.inject)


def test_heal() -> None:
    """The class goes with its qdisc."""
    assert ["far: tc qdisc del dev wire0 root"] == lines(FAULT.heal)


def test_cause() -> None:
    """Another kind of shaper, the same cause, the other direction."""
    assert ("tc-shaper", Direction.FAR_TO_NEAR) == (FAULT.cause, FAULT.direction)
