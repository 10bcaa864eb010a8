"""Foreign servers on far's test ports."""

from fault_steps import lines
from fullrate.lab.faults.server_busy_far import FAULT
from fullrate.records.ends import Direction


def test_inject() -> None:
    """Ten servers of far's are started and waited for."""
    ports = range(5201, 5211)
    started = [f"far: start iperf3 -s -B 10.77.2.2 -p {port}" for port in ports]
    awaited = [f"far: await ss -Hltn :{port}" for port in ports]
    assert started + awaited == lines(FAULT.inject)


def test_heal() -> None:
    """Programs end by themselves."""
    assert [] == lines(FAULT.heal)


def test_direction() -> None:
    """It shows in both directions alike."""
    assert Direction.BOTH is FAULT.direction
