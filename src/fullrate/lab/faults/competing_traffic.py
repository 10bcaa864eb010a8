"""Somebody else sends half a link's worth from near to far."""

from fullrate.lab.fault import Daemon, Fault, Kind, listening
from fullrate.lab.topology import Place, link_named
from fullrate.records.ends import Direction

_PORT = "5301"  # outside the range a check tries
_FAR = link_named("wire").address(Place.FAR)

FAULT = Fault(
    id="competing-traffic",
    doc="a foreign UDP flow takes 480 Mbit/s of the wire from near to far",
    link="wire",
    kind=Kind.EFFECT,
    cause="competing-traffic",
    direction=Direction.NEAR_TO_FAR,
    inject=(
        Daemon(place=Place.FAR, argv=("iperf3", "-s", "-B", _FAR, "-p", _PORT)),
        listening(Place.FAR, int(_PORT)),
        Daemon(place=Place.NEAR, argv=("iperf3", "-u", "-b", "480M", "-t", "0", "-c", _FAR, "-p", _PORT)),
    ),
    heal=(),
    innocent=("path-loss", "netfilter-drop", "tcp-buffers-too-small", "tc-shaper", "cpu-bound-host"),
    core=True,
)
