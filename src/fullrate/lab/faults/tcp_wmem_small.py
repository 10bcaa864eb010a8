"""A path of 20 ms, and near may keep only a part of what is under way."""

from fullrate.lab.fault import Fault, Kind, relay, relay_back, sysctl, sysctl_back
from fullrate.lab.topology import Place
from fullrate.records.ends import Direction

_PORTS = ("wire-a",)

FAULT = Fault(
    id="tcp-wmem-small",
    doc="near's tcp_wmem stops at 512 kB on a path of 20 ms",
    link="wire",
    kind=Kind.EFFECT,
    cause="tcp-buffers-too-small",
    direction=Direction.NEAR_TO_FAR,
    inject=(
        *relay(_PORTS, delay=0.02),
        sysctl(Place.NEAR, "net.ipv4.tcp_wmem", "4096 65536 524288"),
    ),
    heal=(
        *relay_back(_PORTS),
        sysctl_back(Place.NEAR, "net.ipv4.tcp_wmem"),
    ),
    innocent=("path-loss", "tc-shaper", "netfilter-drop", "cpu-bound-host", "competing-traffic"),
)
