"""Something on the way drops what exceeds a rate, and tells nobody."""

from fullrate.lab.fault import Fault, Kind, filtering, filtering_back
from fullrate.lab.topology import Place
from fullrate.records.ends import Direction

FAULT = Fault(
    id="path-policer",
    doc="the router drops what near sends above 40 MB/s",
    link="wire",
    kind=Kind.EFFECT,
    cause="path-loss",
    direction=Direction.NEAR_TO_FAR,
    inject=(
        filtering(Place.ROUTER, "forward", 'iifname "wire-a" limit rate over 40 mbytes/second burst 200 kbytes drop'),
    ),
    heal=(filtering_back(Place.ROUTER),),
    innocent=("netfilter-drop", "tcp-buffers-too-small", "tc-shaper", "qdisc-drops", "backlog-drops", "reordering"),
)
