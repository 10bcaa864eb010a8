"""A queue on near's interface holds less than one superframe."""

from fullrate.lab.fault import Fault, Kind, run
from fullrate.lab.topology import Place
from fullrate.records.ends import Direction

# The rate is above what the wire carries: not the bucket holds the flow back, the short queue behind it does.
_QUEUE = ("tbf", "rate", "1gbit", "burst", "66000", "limit", "4000")

FAULT = Fault(
    id="qdisc-drops",
    doc="near's queue holds 4 kB and drops what comes in a burst",
    link="wire",
    kind=Kind.EFFECT,
    cause="qdisc-drops",
    direction=Direction.NEAR_TO_FAR,
    inject=(run(Place.NEAR, "tc", "qdisc", "replace", "dev", "wire0", "root", *_QUEUE),),
    heal=(run(Place.NEAR, "tc", "qdisc", "del", "dev", "wire0", "root"),),
    innocent=("path-loss", "tcp-buffers-too-small", "netfilter-drop", "tc-shaper", "cpu-bound-host"),
    core=True,
)
