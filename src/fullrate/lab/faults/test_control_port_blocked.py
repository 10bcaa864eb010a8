"""Both ends drop new connections to the test ports."""

from fullrate.lab.fault import Fault, Kind, filtering, filtering_back
from fullrate.lab.topology import ENDS
from fullrate.records.ends import Direction

_RULE = "tcp dport 5201-5210 tcp flags & (syn | ack) == syn counter drop"

FAULT = Fault(
    id="test-control-port-blocked",
    doc="both ends drop new connections to the ports 5201-5210",
    link="wire",
    kind=Kind.EFFECT,
    cause="test-control-port-blocked",
    direction=Direction.BOTH,
    inject=(*(filtering(end, "input", _RULE) for end in ENDS),),
    heal=(*(filtering_back(end) for end in ENDS),),
    innocent=("path-loss", "mtu-blackhole", "server-busy", "tc-shaper"),
    core=True,
)
