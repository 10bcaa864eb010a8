"""Somebody else sends two thirds of a link's worth from far to near."""

from fullrate.lab.fault import Daemon, Fault, Kind, listening
from fullrate.lab.topology import Place, link_named
from fullrate.records.ends import Direction

_PORT = "5301"  # outside the range a check tries
_NEAR = link_named("wire").address(Place.NEAR)

FAULT = Fault(
    id="competing-traffic-back",
    doc="a foreign UDP flow takes 600 Mbit/s of the wire from far to near",
    link="wire",
    kind=Kind.EFFECT,
    cause="competing-traffic",
    direction=Direction.FAR_TO_NEAR,
    inject=(
        Daemon(place=Place.NEAR, argv=("iperf3", "-s", "-B", _NEAR, "-p", _PORT)),
        listening(Place.NEAR, int(_PORT)),
        Daemon(place=Place.FAR, argv=("iperf3", "-u", "-b", "600M", "-t", "0", "-c", _NEAR, "-p", _PORT)),
    ),
    heal=(),
    innocent=("path-loss", "netfilter-drop", "tcp-buffers-too-small", "tc-shaper", "cpu-bound-host"),
    core=True,
)
