"""The last leg carries 1400 bytes at most, and the router's word of it is lost: full datagrams vanish."""

from fullrate.lab.fault import Fault, Kind, filtering, filtering_back
from fullrate.lab.faults._narrow_leg import NARROW, SILENCE, WIDE
from fullrate.lab.topology import Place
from fullrate.records.ends import Direction

FAULT = Fault(
    id="udp-mtu-blackhole",
    doc="the leg to far carries 1400 bytes, the router's messages are dropped; UDP of 300 Mbit/s",
    link="wire",
    kind=Kind.EFFECT,
    cause="mtu-blackhole",
    direction=Direction.NEAR_TO_FAR,
    udp=300e6,
    inject=(*NARROW, filtering(Place.ROUTER, "output", *SILENCE)),
    heal=(*WIDE, filtering_back(Place.ROUTER)),
    innocent=("path-loss", "netfilter-drop", "udp-rcvbuf-overflow", "udp-ip-fragmentation", "tc-shaper"),
)
