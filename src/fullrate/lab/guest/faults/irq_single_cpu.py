"""Every queue of far's card interrupts one CPU."""

from fullrate.lab.fault import Fault, Kind
from fullrate.lab.guest.faults._irqs import bind, bind_back
from fullrate.lab.topology import Place
from fullrate.records.ends import Direction

FAULT = Fault(
    id="irq-single-cpu",
    doc="all interrupts of far's igb go to CPU 2",
    link="igb",
    kind=Kind.CONFIGURATION,
    cause="irq-single-cpu",
    direction=Direction.NEAR_TO_FAR,
    inject=(bind(Place.FAR, "igb", 2),),
    heal=(bind_back(Place.FAR),),
    innocent=("single-rx-queue", "rss-single-queue", "irqbalance-fights", "path-loss", "numa-distance"),
    core=True,
)
