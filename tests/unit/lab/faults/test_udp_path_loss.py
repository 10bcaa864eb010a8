"""Datagrams lost on the way."""

from fault_steps import lines
from fullrate.lab.fault import filtering
from fullrate.lab.faults.udp_path_loss import FAULT
from fullrate.lab.topology import Place
from fullrate.records.ends import Direction


def test_rules() -> None:
    """The router drops three of ten, and counts nothing."""
    rule = 'iifname "wire-a" meta l4proto udp meta length > 100 numgen random mod 1000 < 300 drop'
    assert (filtering(Place.ROUTER, "forward", rule),) == FAULT.inject


def test_heal() -> None:
    """The rule is removed."""
    assert ["router: nft -f -"] == lines(FAULT.heal)


def test_shows_with_udp_only() -> None:
    """At 300 Mbit/s; TCP passes."""
    assert (Direction.NEAR_TO_FAR, 300e6) == (FAULT.direction, FAULT.udp)
