"""Both cards wait 8 ms before each interrupt."""

from fullrate.lab.fault import Fault, Kind, run
from fullrate.lab.topology import ENDS
from fullrate.records.ends import Direction

_SET = ("ethtool", "-C", "igb", "rx-usecs")

FAULT = Fault(
    id="coalescing-too-high",
    doc="the igb of both ends wait 8 ms before each interrupt",
    link="igb",
    kind=Kind.EFFECT,
    cause="coalescing-too-high",
    direction=Direction.NEAR_TO_FAR,
    inject=tuple(run(end, *_SET, "8000") for end in ENDS),
    heal=tuple(run(end, *_SET, "3") for end in ENDS),
    innocent=("path-loss", "netfilter-drop", "tc-shaper", "rx-ring-too-small", "long-rtt-single-flow"),
)
