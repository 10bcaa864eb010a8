"""Far may buffer less than a superframe needs."""

from fullrate.lab.fault import Fault, Kind, sysctl, sysctl_back
from fullrate.lab.topology import Place
from fullrate.records.ends import Direction

FAULT = Fault(
    id="tcp-rmem-tiny",
    doc="far's tcp_rmem stops at 24 kB on a path without delay",
    link="cpu",
    kind=Kind.EFFECT,
    cause="tcp-buffers-too-small",
    direction=Direction.NEAR_TO_FAR,
    inject=(sysctl(Place.FAR, "net.ipv4.tcp_rmem", "4096 16384 24576"),),
    heal=(sysctl_back(Place.FAR, "net.ipv4.tcp_rmem"),),
    innocent=("path-loss", "tc-shaper", "netfilter-drop", "offload-off", "competing-traffic"),
    core=True,
)
