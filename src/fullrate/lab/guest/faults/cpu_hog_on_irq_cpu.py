"""A foreign real-time program takes the CPU that far's card interrupts."""

from fullrate.lab.fault import Daemon, Fault, Kind
from fullrate.lab.guest.faults._irqs import bind, bind_back
from fullrate.lab.topology import Place
from fullrate.records.ends import Direction

# Busy for 95 ms, then idle for 5: below the 95 % at which the kernel stops a real-time program (sched(7)).
_BUSY = """
import time
while True:
    end = time.monotonic() + 0.094
    while time.monotonic() < end:
        pass
    time.sleep(0.006)
"""

FAULT = Fault(
    id="cpu-hog-on-irq-cpu",
    doc="a real-time program keeps the CPU busy that far's e1000e interrupts",
    link="e1000e",
    kind=Kind.EFFECT,
    cause="cpu-hog-on-irq-cpu",
    direction=Direction.NEAR_TO_FAR,
    inject=(
        bind(Place.FAR, "e1000e", 3),
        Daemon(place=Place.FAR, argv=("taskset", "-c", "3", "chrt", "-f", "1", "python3", "-I", "-c", _BUSY)),
    ),
    heal=(bind_back(Place.FAR),),
    innocent=("path-loss", "netfilter-drop", "tcp-buffers-too-small", "tc-shaper", "offload-off", "cpu-quota"),
)
