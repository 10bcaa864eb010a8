"""A rule of far's own drops a part of what arrives."""

from fullrate.lab.fault import Fault, Kind, filtering, filtering_back
from fullrate.lab.topology import Place
from fullrate.records.ends import Direction

FAULT = Fault(
    id="netfilter-drop",
    doc="an nft rule on far's input drops 5 % of the packets",
    link="igb",
    kind=Kind.EFFECT,
    cause="netfilter-drop",
    direction=Direction.NEAR_TO_FAR,
    inject=(filtering(Place.FAR, "input", "numgen random mod 1000 < 50 counter drop"),),
    heal=(filtering_back(Place.FAR),),
    innocent=("path-loss", "tcp-buffers-too-small", "tc-shaper", "qdisc-drops", "backlog-drops", "rx-ring-too-small"),
    core=True,
)
