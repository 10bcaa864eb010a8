"""A rule of far's own drops what arrives by UDP above a rate."""

from fullrate.lab.fault import Fault, Kind, filtering, filtering_back
from fullrate.lab.topology import Place
from fullrate.records.ends import Direction

FAULT = Fault(
    id="udp-netfilter-drop",
    doc="an nft rule on far's input drops UDP above 10 MB/s",
    link="wire",
    kind=Kind.EFFECT,
    cause="netfilter-drop",
    direction=Direction.NEAR_TO_FAR,
    udp=300e6,
    inject=(
        filtering(
            Place.FAR, "input", "meta l4proto udp limit rate over 10 mbytes/second burst 200 kbytes counter drop"
        ),
    ),
    heal=(filtering_back(Place.FAR),),
    innocent=("path-loss", "udp-rcvbuf-overflow", "udp-ip-fragmentation", "competing-traffic", "tc-shaper"),
)
