"""A foreign real-time program takes most of the CPU that far's packets are handled on."""

import sys

from fullrate.lab.fault import Daemon, Fault, Kind
from fullrate.lab.topology import Place
from fullrate.records.ends import Direction

# Busy for 20 ms, then idle for 4: below the 95 % at which the kernel stops a real-time program (sched(7)).
_BUSY = """
import time
while True:
    end = time.monotonic() + 0.02
    while time.monotonic() < end:
        pass
    time.sleep(0.004)
"""

FAULT = Fault(
    id="cpu-hog-on-irq-cpu",
    doc="a real-time program keeps far's CPU busy for five sixths of the time",
    link="cpu",
    kind=Kind.EFFECT,
    cause="cpu-hog-on-irq-cpu",
    direction=Direction.NEAR_TO_FAR,
    inject=(Daemon(place=Place.FAR, argv=("chrt", "-f", "1", sys.executable, "-I", "-c", _BUSY), beside=Place.FAR),),
    heal=(),
    innocent=("path-loss", "netfilter-drop", "tcp-buffers-too-small", "tc-shaper", "offload-off", "cpu-quota"),
    core=True,
)
