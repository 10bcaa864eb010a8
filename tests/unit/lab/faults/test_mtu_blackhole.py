"""A leg that swallows large packets."""

from fault_steps import lines
from fullrate.lab.fault import Command
from fullrate.lab.faults.mtu_blackhole import FAULT
from fullrate.records.ends import Direction


def test_inject() -> None:
    """The router's routes to far carry 1400 bytes for both protocols, and its word of it is filtered."""
    expected = [
        "router: ip route change 10.77.2.0/24 dev wire-b proto kernel scope link src 10.77.2.1 mtu lock 1400",
        "router: ip -6 route change fd77:2::/64 dev wire-b proto kernel metric 256 mtu lock 1400",
        "router: nft -f -",
    ]
    assert expected == lines(FAULT.inject)


def test_both_messages_are_silenced() -> None:
    """Fragmentation-needed and packet-too-big are dropped where they leave the router."""
    step = FAULT.inject[-1]
    assert isinstance(step, Command)
    rules = step.stdin.splitlines()
    expected = ["icmp type destination-unreachable icmp code frag-needed drop", "icmpv6 type packet-too-big drop"]
    assert (True, expected) == ("hook output" in rules[2], rules[3:5])


def test_heal() -> None:
    """The routes come back without a limit."""
    assert not [step for step in lines(FAULT.heal) if "mtu" in step]


def test_every_route_is_healed() -> None:
    """Each route changed is the one replaced."""
    changed = [step.partition(" mtu")[0].replace("change", "replace") for step in lines(FAULT.inject)[:2]]
    assert changed == lines(FAULT.heal)[:2]


def test_direction() -> None:
    """What far sends passes."""
    assert Direction.NEAR_TO_FAR is FAULT.direction
