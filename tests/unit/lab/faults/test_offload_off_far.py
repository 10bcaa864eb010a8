"""Far without offloads."""

from fault_steps import lines
from fullrate.lab.faults.offload_off_far import FAULT
from fullrate.records.ends import Direction


def test_inject() -> None:
    """The offloads go off, those that others need last."""
    expected = ["far: ethtool -K cpu0 tso off gso off sg off tx off"]
    assert expected == lines(FAULT.inject)


def test_heal() -> None:
    """They come back in reverse order."""
    expected = ["far: ethtool -K cpu0 tx on sg on gso on tso on"]
    assert expected == lines(FAULT.heal)


def test_direction() -> None:
    """Only what far sends is slow."""
    assert Direction.FAR_TO_NEAR is FAULT.direction
