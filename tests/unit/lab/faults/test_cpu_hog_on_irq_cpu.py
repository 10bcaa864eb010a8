"""A busy program on far's CPU."""

from fault_steps import lines
from fullrate.lab.fault import Daemon
from fullrate.lab.faults.cpu_hog_on_irq_cpu import FAULT
from fullrate.lab.topology import Place
from fullrate.records.ends import Direction


def test_inject() -> None:
    """An endless loop, whose session weighs more than the others."""
    loop = "echo -15 >/proc/self/autogroup; while :; do :; done"
    assert [f"far: start nice -n -15 sh -c {loop}"] == lines(FAULT.inject)


def test_place() -> None:
    """It runs on the CPU of far's programs."""
    (step,) = FAULT.inject
    assert isinstance(step, Daemon)
    assert Place.FAR is step.beside


def test_heal() -> None:
    """The program ends by itself."""
    assert () == FAULT.heal


def test_direction() -> None:
    """What far receives is slow."""
    assert Direction.NEAR_TO_FAR is FAULT.direction
