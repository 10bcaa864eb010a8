"""A part of what near sends overtakes the rest."""

from fullrate.lab.fault import Fault, Kind, relay, relay_back
from fullrate.records.ends import Direction

_PORTS = ("wire-a",)

FAULT = Fault(
    id="reordering",
    doc="a path of 20 ms on which a tenth of the packets to far arrive 10 ms early",
    link="wire",
    kind=Kind.EFFECT,
    cause="reordering",
    direction=Direction.NEAR_TO_FAR,
    inject=relay(_PORTS, delay=0.02, reorder=0.1),
    heal=relay_back(_PORTS),
    innocent=("path-loss", "netfilter-drop", "tcp-buffers-too-small", "tc-shaper", "qdisc-drops"),
)
