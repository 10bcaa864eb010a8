"""A rule of near's own limits what leaves."""

from fullrate.lab.fault import Fault, Kind, filtering, filtering_back
from fullrate.lab.topology import Place
from fullrate.records.ends import Direction

FAULT = Fault(
    id="netfilter-drop-output",
    doc="an nft rule on near's output drops what exceeds 40 MB/s",
    link="wire",
    kind=Kind.EFFECT,
    cause="netfilter-drop",
    direction=Direction.NEAR_TO_FAR,
    inject=(filtering(Place.NEAR, "output", "limit rate over 40 mbytes/second burst 200 kbytes counter drop"),),
    heal=(filtering_back(Place.NEAR),),
    innocent=("path-loss", "tcp-buffers-too-small", "tc-shaper", "qdisc-drops", "backlog-drops", "cpu-bound-host"),
    core=True,
)
