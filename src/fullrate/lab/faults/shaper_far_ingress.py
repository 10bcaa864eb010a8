"""What arrives at far is led through a shaped ifb."""

from fullrate.lab.fault import Fault, Kind, run
from fullrate.lab.topology import Place
from fullrate.records.ends import Direction

_RATE = ("tbf", "rate", "300mbit", "burst", "131072", "limit", "1000000")
_ALL = ("protocol", "all", "u32", "match", "u32", "0", "0")
_TO_IFB = ("action", "mirred", "egress", "redirect", "dev", "ifb0")

FAULT = Fault(
    id="shaper-far-ingress",
    doc="far's ingress is led through an ifb that tbf shapes to 300 Mbit/s",
    link="wire",
    kind=Kind.EFFECT,
    cause="tc-shaper",
    direction=Direction.NEAR_TO_FAR,
    inject=(
        run(Place.FAR, "ip", "link", "add", "ifb0", "type", "ifb"),
        run(Place.FAR, "ip", "link", "set", "ifb0", "addrgenmode", "none"),
        run(Place.FAR, "ip", "link", "set", "ifb0", "up"),
        run(Place.FAR, "tc", "qdisc", "replace", "dev", "ifb0", "root", *_RATE),
        run(Place.FAR, "tc", "qdisc", "add", "dev", "wire0", "handle", "ffff:", "ingress"),
        run(Place.FAR, "tc", "filter", "add", "dev", "wire0", "parent", "ffff:", *_ALL, *_TO_IFB),
    ),
    heal=(
        run(Place.FAR, "tc", "qdisc", "del", "dev", "wire0", "ingress"),
        run(Place.FAR, "ip", "link", "del", "ifb0"),
    ),
    innocent=("path-loss", "tcp-buffers-too-small", "netfilter-drop", "cpu-bound-host", "offload-off"),
    core=True,
)
