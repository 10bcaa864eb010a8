"""The wire loses packets at random, both ways."""

from fullrate.lab.fault import Fault, Kind, filtering, filtering_back
from fullrate.lab.topology import Place
from fullrate.records.ends import Direction

FAULT = Fault(
    id="path-loss",
    doc="the router drops 3 % of all packets, both ways",
    link="wire",
    kind=Kind.EFFECT,
    cause="path-loss",
    direction=Direction.BOTH,
    inject=(filtering(Place.ROUTER, "forward", "numgen random mod 1000 < 30 drop"),),
    heal=(filtering_back(Place.ROUTER),),
    innocent=("netfilter-drop", "tcp-buffers-too-small", "tc-shaper", "qdisc-drops", "backlog-drops", "cpu-bound-host"),
    core=True,
)
