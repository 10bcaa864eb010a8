"""The wire loses nearly a third of the datagrams that near sends."""

from fullrate.lab.fault import Fault, Kind, filtering, filtering_back
from fullrate.lab.topology import Place
from fullrate.records.ends import Direction

# a small datagram is the one by which an iperf3 test begins: a test that cannot begin shows no loss
_RULE = 'iifname "wire-a" meta l4proto udp meta length > 100 numgen random mod 1000 < 300 drop'

FAULT = Fault(
    id="udp-path-loss",
    doc="the router drops 30 % of the UDP that near sends",
    link="wire",
    kind=Kind.EFFECT,
    cause="path-loss",
    direction=Direction.NEAR_TO_FAR,
    udp=300e6,
    inject=(filtering(Place.ROUTER, "forward", _RULE),),
    heal=(filtering_back(Place.ROUTER),),
    innocent=("netfilter-drop", "udp-rcvbuf-overflow", "udp-ip-fragmentation", "competing-traffic", "tc-shaper"),
    core=True,
)
