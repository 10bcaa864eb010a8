"""A path of 20 ms, and far may buffer only a part of what is under way."""

from fullrate.lab.fault import Fault, Kind, relay, relay_back, sysctl, sysctl_back
from fullrate.lab.topology import Place
from fullrate.records.ends import Direction

_PORTS = ("wire-a",)

FAULT = Fault(
    id="tcp-buffers-too-small",
    doc="far's tcp_rmem stops at 768 kB on a path of 20 ms",
    link="wire",
    kind=Kind.EFFECT,
    cause="tcp-buffers-too-small",
    direction=Direction.NEAR_TO_FAR,
    inject=(
        *relay(_PORTS, delay=0.02),
        sysctl(Place.FAR, "net.ipv4.tcp_rmem", "4096 131072 786432"),
    ),
    heal=(
        *relay_back(_PORTS),
        sysctl_back(Place.FAR, "net.ipv4.tcp_rmem"),
    ),
    innocent=("path-loss", "tc-shaper", "netfilter-drop", "cpu-bound-host", "competing-traffic"),
    core=True,
)
