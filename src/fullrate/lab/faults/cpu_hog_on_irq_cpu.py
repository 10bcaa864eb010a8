"""A foreign program takes the CPU that far's packets are handled on."""

from fullrate.lab.fault import Daemon, Fault, Kind
from fullrate.lab.topology import Place
from fullrate.records.ends import Direction

# The scheduler shares a CPU between sessions (sched(7), autogroup): the weight counts that the session has.
_BUSY = "echo -15 >/proc/self/autogroup; while :; do :; done"

FAULT = Fault(
    id="cpu-hog-on-irq-cpu",
    doc="a busy program of high priority runs on far's CPU",
    link="cpu",
    kind=Kind.EFFECT,
    cause="cpu-hog-on-irq-cpu",
    direction=Direction.NEAR_TO_FAR,
    inject=(Daemon(place=Place.FAR, argv=("nice", "-n", "-15", "sh", "-c", _BUSY), beside=Place.FAR),),
    heal=(),
    innocent=("path-loss", "netfilter-drop", "tcp-buffers-too-small", "tc-shaper", "offload-off", "cpu-quota"),
)
