"""Near cuts and checks its packets itself; at the wire's speed that costs nothing."""

from fullrate.lab.fault import Fault, Kind, run
from fullrate.lab.topology import Place
from fullrate.records.ends import Direction

_SET = ("ethtool", "-K", "igb")
_OFFLOADS = ("tso", "gso", "sg", "tx")

FAULT = Fault(
    id="offload-off",
    doc="near's igb has segmentation, scatter-gather and transmit checksums off",
    link="igb",
    kind=Kind.CONFIGURATION,
    cause="offload-off",
    direction=Direction.NEAR_TO_FAR,
    inject=(run(Place.NEAR, *_SET, *(word for name in _OFFLOADS for word in (name, "off"))),),
    heal=(run(Place.NEAR, *_SET, *(word for name in reversed(_OFFLOADS) for word in (name, "on"))),),
    innocent=("path-loss", "packet-rate-bound", "tc-shaper", "cpu-bound-host"),
    core=True,
)
