"""What near sends is reordered on the way."""

from fault_steps import lines
from fullrate.lab.faults.reordering import FAULT
from fullrate.records.ends import Direction


def test_inject() -> None:
    """The way to far leads through a relay where some packets overtake."""
    (program,) = [line for line in lines(FAULT.inject) if "relay.py" in line]
    assert program.endswith("relay0 --delay 0.02 --loss 0.0 --reorder 0.1")


def test_only_what_near_sends_is_led_there() -> None:
    """Both IP versions are led into the relay by the port they come in at."""
    rules = [line for line in lines(FAULT.inject) if "rule add" in line]
    expected = [f"router: ip {family} rule add iif wire-a lookup 100" for family in ("-4", "-6")]
    assert expected == rules


def test_heal() -> None:
    """The relay is taken away."""
    expected = [
        "router: ip -4 rule del iif wire-a lookup 100",
        "router: ip -6 rule del iif wire-a lookup 100",
        "router: ip link del relay0",
    ]
    assert expected == lines(FAULT.heal)


def test_direction() -> None:
    """Only what near sends is slow."""
    assert Direction.NEAR_TO_FAR is FAULT.direction
