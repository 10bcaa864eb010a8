"""Far drops new connections to the first test ports; the later ones are open."""

from fullrate.lab.fault import Fault, Kind, filtering, filtering_back
from fullrate.lab.topology import Place
from fullrate.records.ends import Direction

_RULE = "tcp dport 5201-5203 tcp flags & (syn | ack) == syn counter drop"

FAULT = Fault(
    id="port-blocked-first",
    doc="far drops new connections to the ports 5201-5203; on 5204 the test runs",
    link="wire",
    kind=Kind.CONFIGURATION,
    cause="test-control-port-blocked",
    direction=Direction.BOTH,
    inject=(filtering(Place.FAR, "input", _RULE),),
    heal=(filtering_back(Place.FAR),),
    innocent=("path-loss", "mtu-blackhole", "server-busy", "tc-shaper"),
    core=True,
)
