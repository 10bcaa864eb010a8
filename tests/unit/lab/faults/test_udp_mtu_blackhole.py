"""A black hole of full datagrams."""

from fullrate.lab.faults import mtu_blackhole
from fullrate.lab.faults.udp_mtu_blackhole import FAULT


def test_steps() -> None:
    """What is done to the lab is what shows with TCP too."""
    assert (mtu_blackhole.FAULT.inject, mtu_blackhole.FAULT.heal) == (FAULT.inject, FAULT.heal)


def test_cause() -> None:
    """So is the cause, seen by UDP."""
    assert (mtu_blackhole.FAULT.cause, 300e6) == (FAULT.cause, FAULT.udp)
