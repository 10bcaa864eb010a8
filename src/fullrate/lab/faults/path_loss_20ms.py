"""A path of 20 ms that loses one packet in a hundred."""

from fullrate.lab.fault import Fault, Kind, relay, relay_back
from fullrate.records.ends import Direction

_PORTS = ("wire-a",)

FAULT = Fault(
    id="path-loss-20ms",
    doc="the path to far takes 20 ms and loses 1 % of the packets",
    link="wire",
    kind=Kind.EFFECT,
    cause="path-loss",
    direction=Direction.NEAR_TO_FAR,
    inject=relay(_PORTS, delay=0.02, loss=0.01),
    heal=relay_back(_PORTS),
    innocent=(
        "netfilter-drop",
        "tcp-buffers-too-small",
        "tc-shaper",
        "qdisc-drops",
        "reordering",
        "long-rtt-single-flow",
    ),
    core=True,
)
