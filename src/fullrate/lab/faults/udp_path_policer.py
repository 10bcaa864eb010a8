"""Something on the way drops the datagrams that exceed a rate, and tells nobody."""

from fullrate.lab.fault import Fault, Kind, filtering, filtering_back
from fullrate.lab.topology import Place
from fullrate.records.ends import Direction

_POLICER = 'iifname "wire-b" meta l4proto udp limit rate over 10 mbytes/second burst 200 kbytes drop'

FAULT = Fault(
    id="udp-path-policer",
    doc="the router drops what far sends by UDP above 10 MB/s",
    link="wire",
    kind=Kind.EFFECT,
    cause="path-loss",
    direction=Direction.FAR_TO_NEAR,
    udp=300e6,
    inject=(filtering(Place.ROUTER, "forward", _POLICER),),
    heal=(filtering_back(Place.ROUTER),),
    innocent=("netfilter-drop", "udp-rcvbuf-overflow", "udp-ip-fragmentation", "competing-traffic", "tc-shaper"),
)
