"""A token bucket on near's interface lets 200 Mbit/s out."""

from fullrate.lab.fault import Fault, Kind, run
from fullrate.lab.topology import Place
from fullrate.records.ends import Direction

_SHAPER = ("tbf", "rate", "200mbit", "burst", "131072", "limit", "1000000")

FAULT = Fault(
    id="tc-shaper",
    doc="near's egress is shaped to 200 Mbit/s by tbf",
    link="wire",
    kind=Kind.EFFECT,
    cause="tc-shaper",
    direction=Direction.NEAR_TO_FAR,
    inject=(run(Place.NEAR, "tc", "qdisc", "replace", "dev", "wire0", "root", *_SHAPER),),
    heal=(run(Place.NEAR, "tc", "qdisc", "del", "dev", "wire0", "root"),),
    innocent=("path-loss", "tcp-buffers-too-small", "netfilter-drop", "cpu-bound-host", "offload-off"),
    core=True,
)
