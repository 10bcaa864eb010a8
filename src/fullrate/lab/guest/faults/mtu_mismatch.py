"""Near takes jumbo frames, far does not; TCP agrees on the smaller size."""

from fullrate.lab.fault import Fault, Kind, run
from fullrate.lab.topology import Place
from fullrate.records.ends import Direction

_SET = ("ip", "link", "set", "igb", "mtu")

FAULT = Fault(
    id="mtu-mismatch",
    doc="near's igb has an MTU of 9000, far's of 1500",
    link="igb",
    kind=Kind.CONFIGURATION,
    cause="mtu-mismatch",
    direction=Direction.NEAR_TO_FAR,
    inject=(run(Place.NEAR, *_SET, "9000"),),
    heal=(run(Place.NEAR, *_SET, "1500"),),
    innocent=("tc-shaper", "path-loss", "offload-off", "link-flapping"),
    core=True,
)
