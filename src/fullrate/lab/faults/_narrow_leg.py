"""A last leg to far that carries 1400 bytes, whether or not the router's word of it gets through."""

from fullrate.lab.fault import Command, run
from fullrate.lab.topology import Place

_LEG = ("10.77.2.0/24", "dev", "wire-b", "proto", "kernel", "scope", "link", "src", "10.77.2.1")
_LEG6 = ("fd77:2::/64", "dev", "wire-b", "proto", "kernel", "metric", "256")

NARROW: tuple[Command, ...] = (
    run(Place.ROUTER, "ip", "route", "change", *_LEG, "mtu", "lock", "1400"),
    run(Place.ROUTER, "ip", "-6", "route", "change", *_LEG6, "mtu", "lock", "1400"),
)
WIDE: tuple[Command, ...] = (
    run(Place.ROUTER, "ip", "route", "replace", *_LEG),
    run(Place.ROUTER, "ip", "-6", "route", "replace", *_LEG6),
)
SILENCE = ("icmp type destination-unreachable icmp code frag-needed drop", "icmpv6 type packet-too-big drop")
