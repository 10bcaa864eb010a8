"""The last leg carries 1400 bytes at most, and the router's word of it is lost."""

from fullrate.lab.fault import Fault, Kind, filtering, filtering_back
from fullrate.lab.faults._narrow_leg import NARROW, SILENCE, WIDE
from fullrate.lab.topology import Place
from fullrate.records.ends import Direction

FAULT = Fault(
    id="mtu-blackhole",
    doc="the leg to far carries 1400 bytes, the router's fragmentation-needed messages are dropped",
    link="wire",
    kind=Kind.EFFECT,
    cause="mtu-blackhole",
    direction=Direction.NEAR_TO_FAR,
    inject=(*NARROW, filtering(Place.ROUTER, "output", *SILENCE)),
    heal=(*WIDE, filtering_back(Place.ROUTER)),
    innocent=(
        "path-loss",
        "netfilter-drop",
        "tcp-buffers-too-small",
        "tc-shaper",
        "test-control-port-blocked",
        "cpu-bound-host",
    ),
    core=True,
)
