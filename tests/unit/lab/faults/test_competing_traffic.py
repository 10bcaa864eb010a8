"""A foreign flow."""

from fault_steps import lines
from fullrate.lab.faults.competing_traffic import FAULT
from fullrate.records.ends import Direction


def test_inject() -> None:
    """A server, seen to listen, then an endless UDP flow of half the wire from near to far."""
    expected = [
        "far: start iperf3 -s -B 10.77.2.2 -p 5301",
        "far: await ss -Hltn :5301",
        "near: start iperf3 -u -b 480M -t 0 -c 10.77.2.2 -p 5301",
    ]
    assert expected == lines(FAULT.inject)


def test_the_port_is_not_one_of_ours() -> None:
    """A check must not take the foreign server for its own."""
    assert not [step for step in lines(FAULT.inject) for port in range(5201, 5211) if str(port) in step]


def test_heal() -> None:
    """Programs end by themselves at every heal."""
    assert [] == lines(FAULT.heal)


def test_direction() -> None:
    """The other direction is free."""
    assert Direction.NEAR_TO_FAR is FAULT.direction
