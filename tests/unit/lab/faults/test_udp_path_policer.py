"""A policer of UDP on the way back."""

from fault_steps import lines
from fullrate.lab.fault import filtering
from fullrate.lab.faults.udp_path_policer import FAULT
from fullrate.lab.topology import Place
from fullrate.records.ends import Direction


def test_rules() -> None:
    """The router drops what comes from far above the rate, and counts nothing."""
    rule = 'iifname "wire-b" meta l4proto udp limit rate over 10 mbytes/second burst 200 kbytes drop'
    assert (filtering(Place.ROUTER, "forward", rule),) == FAULT.inject


def test_heal() -> None:
    """The rule is removed."""
    assert ["router: nft -f -"] == lines(FAULT.heal)


def test_shows_with_udp_only() -> None:
    """At 300 Mbit/s; TCP passes."""
    assert (Direction.FAR_TO_NEAR, 300e6) == (FAULT.direction, FAULT.udp)
