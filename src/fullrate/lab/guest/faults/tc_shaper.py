"""A token bucket on near's card lets a third of the wire's speed out."""

from fullrate.lab.fault import Fault, Kind, run
from fullrate.lab.topology import Place
from fullrate.records.ends import Direction

_SHAPER = ("tbf", "rate", "20mbit", "burst", "32kb", "limit", "500000")

FAULT = Fault(
    id="tc-shaper",
    doc="near's egress is shaped to 20 Mbit/s by tbf",
    link="igb",
    kind=Kind.EFFECT,
    cause="tc-shaper",
    direction=Direction.NEAR_TO_FAR,
    inject=(run(Place.NEAR, "tc", "qdisc", "replace", "dev", "igb", "root", *_SHAPER),),
    heal=(run(Place.NEAR, "tc", "qdisc", "del", "dev", "igb", "root"),),
    innocent=("path-loss", "tcp-buffers-too-small", "netfilter-drop", "cpu-bound-host", "offload-off"),
    core=True,
)
