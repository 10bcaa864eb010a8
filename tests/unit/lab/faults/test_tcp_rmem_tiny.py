"""A tiny receive buffer."""

from fault_steps import lines
from fullrate.lab.faults.tcp_rmem_tiny import FAULT
from fullrate.records.ends import Direction


def test_inject() -> None:
    """Far's tcp_rmem stops at 24 kB."""
    expected = ["far: sysctl -qw net.ipv4.tcp_rmem=4096 16384 24576"]
    assert expected == lines(FAULT.inject)


def test_heal() -> None:
    """It is the lab's own again."""
    expected = ["far: sysctl -qw net.ipv4.tcp_rmem=4096 131072 33554432"]
    assert expected == lines(FAULT.heal)


def test_direction() -> None:
    """Only what near sends is slow."""
    assert Direction.NEAR_TO_FAR is FAULT.direction
