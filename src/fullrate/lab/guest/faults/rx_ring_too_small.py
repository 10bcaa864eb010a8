"""Far's receive ring holds less than a burst."""

from fullrate.lab.fault import Fault, Kind, run
from fullrate.lab.topology import Place
from fullrate.records.ends import Direction

FAULT = Fault(
    id="rx-ring-too-small",
    doc="the receive ring of far's e1000 holds 48 frames",
    link="e1000",
    kind=Kind.EFFECT,
    cause="rx-ring-too-small",
    direction=Direction.NEAR_TO_FAR,
    inject=(run(Place.FAR, "ethtool", "-G", "e1000", "rx", "48"),),
    heal=(run(Place.FAR, "ethtool", "-G", "e1000", "rx", "256"),),
    innocent=("path-loss", "netfilter-drop", "tc-shaper", "backlog-drops", "softirq-budget"),
)
