"""A class of htb on far's interface lets 200 Mbit/s out."""

from fullrate.lab.fault import Fault, Kind, run
from fullrate.lab.topology import Place
from fullrate.records.ends import Direction

_CLASS = ("htb", "rate", "200mbit", "burst", "131072", "cburst", "131072")

FAULT = Fault(
    id="htb-far",
    doc="far's egress is shaped to 200 Mbit/s by an htb class",
    link="wire",
    kind=Kind.EFFECT,
    cause="tc-shaper",
    direction=Direction.FAR_TO_NEAR,
    inject=(
        run(Place.FAR, "tc", "qdisc", "replace", "dev", "wire0", "root", "handle", "1:", "htb", "default", "10"),
        run(Place.FAR, "tc", "class", "add", "dev", "wire0", "parent", "1:", "classid", "1:10", *_CLASS),
    ),
    heal=(run(Place.FAR, "tc", "qdisc", "del", "dev", "wire0", "root"),),
    innocent=("path-loss", "tcp-buffers-too-small", "netfilter-drop", "cpu-bound-host", "offload-off"),
    core=True,
)
