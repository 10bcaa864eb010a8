"""A busy program on far's CPU."""

from fault_steps import lines
from fullrate.lab.fault import Daemon
from fullrate.lab.faults.cpu_hog_on_irq_cpu import FAULT
from fullrate.lab.topology import Place
from fullrate.records.ends import Direction


def test_inject() -> None:
    """A real-time program of Python's own."""
    (line,) = lines(FAULT.inject)
    assert line.startswith("far: start chrt -f 1 ")


def test_it_leaves_some_time() -> None:
    """Busy for 20 ms, idle for 4: the kernel would stop it above 95 %."""
    (line,) = lines(FAULT.inject)
    assert (True, True) == ("monotonic() + 0.02" in line, "sleep(0.004)" in line)


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
