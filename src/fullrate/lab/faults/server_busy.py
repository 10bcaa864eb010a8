"""Somebody else's servers hold all test ports of both ends."""

from fullrate.lab.fault import Daemon, Fault, Kind, listening
from fullrate.lab.topology import ENDS, Place, link_named
from fullrate.records.ends import Direction

_PORTS = range(5201, 5211)


def _server(end: Place, port: int) -> Daemon:
    argv = ("iperf3", "-s", "-B", link_named("wire").address(end), "-p", str(port))
    return Daemon(place=end, argv=argv)


FAULT = Fault(
    id="server-busy",
    doc="foreign iperf3 servers hold the ports 5201-5210 of both ends",
    link="wire",
    kind=Kind.EFFECT,
    cause="server-busy",
    direction=Direction.BOTH,
    inject=(
        *(_server(end, port) for end in ENDS for port in _PORTS),
        *(listening(end, port) for end in ENDS for port in _PORTS),
    ),
    heal=(),
    innocent=("path-loss", "mtu-blackhole", "test-control-port-blocked", "tc-shaper"),
    core=True,
)
