"""Near is 20 ms away by its own delay, and far's receive buffers are too small for that."""

from fullrate.lab.fault import Fault, Kind, run, sysctl, sysctl_back
from fullrate.lab.topology import Place
from fullrate.records.ends import Direction

_ROOT = ("dev", "igb", "root")

FAULT = Fault(
    id="tcp-buffers-too-small",
    doc="20 ms of delay by netem, far's tcp_rmem is 64 kB",
    link="igb",
    kind=Kind.EFFECT,
    cause="tcp-buffers-too-small",
    direction=Direction.NEAR_TO_FAR,
    inject=(
        run(Place.FAR, "tc", "qdisc", "replace", *_ROOT, "netem", "delay", "20ms", "limit", "10000"),
        sysctl(Place.FAR, "net.ipv4.tcp_rmem", "4096 65536 65536"),
    ),
    heal=(
        sysctl_back(Place.FAR, "net.ipv4.tcp_rmem"),
        run(Place.FAR, "tc", "qdisc", "del", *_ROOT),
    ),
    innocent=("path-loss", "tc-shaper", "netfilter-drop", "qdisc-drops", "cpu-bound-host"),
    core=True,
)
