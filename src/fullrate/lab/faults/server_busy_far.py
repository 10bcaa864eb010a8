"""Somebody else's servers hold all test ports of far; near's are free."""

from fullrate.lab.fault import Daemon, Fault, Kind, listening
from fullrate.lab.topology import Place, link_named
from fullrate.records.ends import Direction

_FAR = link_named("wire").address(Place.FAR)
_PORTS = range(5201, 5211)

FAULT = Fault(
    id="server-busy-far",
    doc="foreign iperf3 servers hold the ports 5201-5210 of far; with the roles swapped the test runs",
    link="wire",
    kind=Kind.CONFIGURATION,
    cause="server-busy",
    direction=Direction.BOTH,
    inject=(
        *(Daemon(place=Place.FAR, argv=("iperf3", "-s", "-B", _FAR, "-p", str(port))) for port in _PORTS),
        *(listening(Place.FAR, port) for port in _PORTS),
    ),
    heal=(),
    innocent=("path-loss", "mtu-blackhole", "test-control-port-blocked", "tc-shaper"),
)
