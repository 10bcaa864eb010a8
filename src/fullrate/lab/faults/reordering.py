"""A part of what near sends overtakes the rest."""

from fullrate.lab.fault import Fault, Kind, relay, relay_back
from fullrate.records.ends import Direction

_PORTS = ("wire-a",)

FAULT = Fault(
    id="reordering",
    doc="a path of 10 ms on which 3 % of the packets to far arrive 5 ms early",
    link="wire",
    kind=Kind.EFFECT,
    cause="reordering",
    direction=Direction.NEAR_TO_FAR,
    inject=relay(_PORTS, delay=0.01, reorder=0.03),
    heal=relay_back(_PORTS),
    innocent=("path-loss", "netfilter-drop", "tcp-buffers-too-small", "tc-shaper", "qdisc-drops"),
)
