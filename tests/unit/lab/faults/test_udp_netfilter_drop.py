"""A rule of far that drops UDP."""

from fault_steps import lines
from fullrate.lab.fault import filtering
from fullrate.lab.faults.udp_netfilter_drop import FAULT
from fullrate.lab.topology import Place
from fullrate.records.ends import Direction


def test_rules() -> None:
    """Far drops what comes above the rate, and counts it."""
    rule = "meta l4proto udp limit rate over 10 mbytes/second burst 200 kbytes counter drop"
    assert (filtering(Place.FAR, "input", rule),) == FAULT.inject


def test_heal() -> None:
    """The rule is removed."""
    assert ["far: nft -f -"] == lines(FAULT.heal)


def test_shows_with_udp_only() -> None:
    """At 300 Mbit/s; TCP passes."""
    assert (Direction.NEAR_TO_FAR, 300e6) == (FAULT.direction, FAULT.udp)
