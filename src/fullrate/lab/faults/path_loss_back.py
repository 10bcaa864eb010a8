"""The wire loses packets at random on the way from far to near alone."""

from fullrate.lab.fault import Fault, Kind, filtering, filtering_back
from fullrate.lab.topology import Place
from fullrate.records.ends import Direction

FAULT = Fault(
    id="path-loss-back",
    doc="the router drops 3 % of what far sends",
    link="wire",
    kind=Kind.EFFECT,
    cause="path-loss",
    direction=Direction.FAR_TO_NEAR,
    inject=(filtering(Place.ROUTER, "forward", 'iifname "wire-b" numgen random mod 1000 < 30 drop'),),
    heal=(filtering_back(Place.ROUTER),),
    innocent=("netfilter-drop", "tcp-buffers-too-small", "tc-shaper", "qdisc-drops", "reordering"),
)
