"""A receiver that stops to read."""

from fullrate.lab.fault import Daemon
from fullrate.lab.faults.udp_receiver_stalls import FAULT
from fullrate.lab.topology import Place


def test_inject() -> None:
    """A program at far stops far's iperf3 for 0.25 s of every 0.35 s."""
    (program,) = FAULT.inject
    assert isinstance(program, Daemon)
    assert (Place.FAR, ("--stop", "0.25", "--run", "0.1")) == (program.place, program.argv[-4:])
    assert program.argv[-5].endswith("/lab/stall.py")


def test_heal() -> None:
    """The program ends with the fault; nothing else was changed."""
    assert () == FAULT.heal


def test_shows_with_udp_only() -> None:
    """A program that receives TCP is left alone."""
    assert 600e6 == FAULT.udp
