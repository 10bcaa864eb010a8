"""The last leg to near carries 1400 bytes at most, and the router's word of it is lost."""

from fullrate.lab.fault import Fault, Kind, filtering, filtering_back, run
from fullrate.lab.topology import Place
from fullrate.records.ends import Direction

_LEG = ("10.77.1.0/24", "dev", "wire-a", "proto", "kernel", "scope", "link", "src", "10.77.1.1")
_LEG6 = ("fd77:1::/64", "dev", "wire-a", "proto", "kernel", "metric", "256")
_SILENCE = ("icmp type destination-unreachable icmp code frag-needed drop", "icmpv6 type packet-too-big drop")

FAULT = Fault(
    id="mtu-blackhole-back",
    doc="the leg to near carries 1400 bytes, the router's fragmentation-needed messages are dropped",
    link="wire",
    kind=Kind.EFFECT,
    cause="mtu-blackhole",
    direction=Direction.FAR_TO_NEAR,
    inject=(
        run(Place.ROUTER, "ip", "route", "change", *_LEG, "mtu", "lock", "1400"),
        run(Place.ROUTER, "ip", "-6", "route", "change", *_LEG6, "mtu", "lock", "1400"),
        filtering(Place.ROUTER, "output", *_SILENCE),
    ),
    heal=(
        run(Place.ROUTER, "ip", "route", "replace", *_LEG),
        run(Place.ROUTER, "ip", "-6", "route", "replace", *_LEG6),
        filtering_back(Place.ROUTER),
    ),
    innocent=("path-loss", "netfilter-drop", "tcp-buffers-too-small", "tc-shaper", "test-control-port-blocked"),
)
