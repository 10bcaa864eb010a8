"""A silent small MTU on the leg to near."""

from fault_steps import lines
from fullrate.lab.fault import filtering
from fullrate.lab.faults.mtu_blackhole_back import FAULT
from fullrate.lab.topology import Place
from fullrate.records.ends import Direction


def test_inject() -> None:
    """The leg to near carries 1400 bytes and the router is silent."""
    expected = [
        "router: ip route change 10.77.1.0/24 dev wire-a proto kernel scope link src 10.77.1.1 mtu lock 1400",
        "router: ip -6 route change fd77:1::/64 dev wire-a proto kernel metric 256 mtu lock 1400",
        "router: nft -f -",
    ]
    assert expected == lines(FAULT.inject)


def test_rules() -> None:
    """The rules stand at the output hook, in the fault's own table."""
    rules = ["icmp type destination-unreachable icmp code frag-needed drop", "icmpv6 type packet-too-big drop"]
    assert filtering(Place.ROUTER, "output", *rules) == FAULT.inject[-1]


def test_heal() -> None:
    """The leg is as built."""
    expected = [
        "router: ip route replace 10.77.1.0/24 dev wire-a proto kernel scope link src 10.77.1.1",
        "router: ip -6 route replace fd77:1::/64 dev wire-a proto kernel metric 256",
        "router: nft -f -",
    ]
    assert expected == lines(FAULT.heal)


def test_direction() -> None:
    """Only what far sends is slow."""
    assert Direction.FAR_TO_NEAR is FAULT.direction
