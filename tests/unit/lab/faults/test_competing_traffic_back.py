"""Foreign traffic from far to near."""

from fault_steps import lines
from fullrate.lab.faults.competing_traffic_back import FAULT
from fullrate.records.ends import Direction


def test_inject() -> None:
    """The foreign server listens before its client starts."""
    expected = [
        "near: start iperf3 -s -B 10.77.1.2 -p 5301",
        "near: await ss -Hltn :5301",
        "far: start iperf3 -u -b 600M -t 0 -c 10.77.1.2 -p 5301",
    ]
    assert expected == lines(FAULT.inject)


def test_heal() -> None:
    """Programs end by themselves."""
    assert [] == lines(FAULT.heal)


def test_direction() -> None:
    """Only what far sends is slow."""
    assert Direction.FAR_TO_NEAR is FAULT.direction
