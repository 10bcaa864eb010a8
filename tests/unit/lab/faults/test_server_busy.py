"""Foreign servers on all test ports."""

import pytest

from fault_steps import lines
from fullrate.lab.faults.server_busy import FAULT

STEPS = lines(FAULT.inject)


@pytest.mark.parametrize("port", range(5201, 5211))
@pytest.mark.parametrize(("end", "address"), [("near", "10.77.1.2"), ("far", "10.77.2.2")])
def test_every_port_is_taken(end: str, address: str, port: int) -> None:
    """A server holds each port at the address a test would use."""
    assert f"{end}: start iperf3 -s -B {address} -p {port}" in STEPS


def test_every_server_is_awaited() -> None:
    """The fault is there only when all listen."""
    assert (20, 20) == (sum(" start " in step for step in STEPS), sum(" await " in step for step in STEPS))


def test_waiting_comes_last() -> None:
    """All are started before the first is waited for."""
    assert all(" await " in step for step in STEPS[20:])


def test_heal() -> None:
    """Programs end by themselves at every heal."""
    assert [] == lines(FAULT.heal)
