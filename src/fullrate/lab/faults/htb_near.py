"""A class of htb on near's fast interface lets 1 Gbit/s out."""

from fullrate.lab.fault import Fault, Kind, run
from fullrate.lab.topology import Place
from fullrate.records.ends import Direction

_CLASS = ("htb", "rate", "1gbit", "burst", "262144", "cburst", "262144")

FAULT = Fault(
    id="htb-near",
    doc="near's egress to the fast link is shaped to 1 Gbit/s by an htb class",
    link="cpu",
    kind=Kind.EFFECT,
    cause="tc-shaper",
    direction=Direction.NEAR_TO_FAR,
    inject=(
        run(Place.NEAR, "tc", "qdisc", "replace", "dev", "cpu0", "root", "handle", "1:", "htb", "default", "10"),
        run(Place.NEAR, "tc", "class", "add", "dev", "cpu0", "parent", "1:", "classid", "1:10", *_CLASS),
    ),
    heal=(run(Place.NEAR, "tc", "qdisc", "del", "dev", "cpu0", "root"),),
    innocent=("path-loss", "tcp-buffers-too-small", "netfilter-drop", "cpu-bound-host", "offload-off"),
)
