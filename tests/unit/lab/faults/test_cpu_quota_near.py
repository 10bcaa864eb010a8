"""A CPU quota of near's programs."""

from fault_steps import lines
from fullrate.lab.faults.cpu_quota_near import FAULT
from fullrate.records.ends import Direction


def test_inject() -> None:
    """Near's programs get a tenth of a CPU."""
    expected = ["near: quota 0.1"]
    assert expected == lines(FAULT.inject)


def test_heal() -> None:
    """They get all of it."""
    expected = ["near: quota None"]
    assert expected == lines(FAULT.heal)


def test_direction() -> None:
    """Only what far sends is slow."""
    assert Direction.FAR_TO_NEAR is FAULT.direction
