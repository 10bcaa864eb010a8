"""A receiving program that is halted again and again."""

from fullrate.lab.fault import Daemon
from fullrate.lab.faults.app_not_draining_socket import FAULT
from fullrate.lab.topology import Place
from fullrate.records.ends import Direction


def _script() -> str:
    (step,) = FAULT.inject
    assert isinstance(step, Daemon)
    assert ("sh", "-c") == step.argv[:2]
    return step.argv[2]


def test_it_halts_longer_than_it_lets_run() -> None:
    """Most of the time the program may not read."""
    assert "tell STOP; sleep 0.8; tell CONT; sleep 0.03;" in _script()


def test_only_far_s_iperf3() -> None:
    """No program outside of far's namespace is touched, and none of another name."""
    assert (True, True) == ("$(ip netns pids fullrate-b)" in _script(), "iperf3) ;; *) continue ;;" in _script())


def test_only_what_receives() -> None:
    """A program that has written more than it read is let be: far to near stays full."""
    assert '[ "$got" -gt "$gave" ] && kill' in _script()


def test_place() -> None:
    """It runs at far."""
    (step,) = FAULT.inject
    assert isinstance(step, Daemon)
    assert Place.FAR is step.place


def test_heal() -> None:
    """The program ends by itself."""
    assert () == FAULT.heal


def test_direction() -> None:
    """What far receives is slow."""
    assert Direction.NEAR_TO_FAR is FAULT.direction
