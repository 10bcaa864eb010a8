"""A rule of far's own limits what arrives."""

from fullrate.lab.fault import Fault, Kind, filtering, filtering_back
from fullrate.lab.topology import Place
from fullrate.records.ends import Direction

FAULT = Fault(
    id="netfilter-limit-far",
    doc="an nft rule on far's input drops what exceeds 100 MB/s",
    link="cpu",
    kind=Kind.EFFECT,
    cause="netfilter-drop",
    direction=Direction.NEAR_TO_FAR,
    inject=(filtering(Place.FAR, "input", "limit rate over 100 mbytes/second burst 500 kbytes counter drop"),),
    heal=(filtering_back(Place.FAR),),
    innocent=("path-loss", "tcp-buffers-too-small", "tc-shaper", "qdisc-drops", "backlog-drops", "offload-off"),
)
