"""A token bucket on near's interface lets less out than UDP is to carry."""

from fullrate.lab.fault import Fault, Kind, run
from fullrate.lab.topology import Place
from fullrate.records.ends import Direction

_SHAPER = ("tbf", "rate", "100mbit", "burst", "131072", "limit", "1000000")

FAULT = Fault(
    id="udp-tc-shaper",
    doc="near's egress is shaped to 100 Mbit/s by tbf; UDP of 300 Mbit/s",
    link="wire",
    kind=Kind.EFFECT,
    cause="tc-shaper",
    direction=Direction.NEAR_TO_FAR,
    udp=300e6,
    inject=(run(Place.NEAR, "tc", "qdisc", "replace", "dev", "wire0", "root", *_SHAPER),),
    heal=(run(Place.NEAR, "tc", "qdisc", "del", "dev", "wire0", "root"),),
    innocent=("path-loss", "netfilter-drop", "udp-rcvbuf-overflow", "udp-ip-fragmentation", "competing-traffic"),
)
