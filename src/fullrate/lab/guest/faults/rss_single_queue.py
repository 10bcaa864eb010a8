"""The table that spreads flows over far's queues names one of them.

igb fills its table in blocks, as `weight` does (drivers/net/ethernet/intel/igb/igb_main.c, igb_setup_mrqc), while
`default` takes turns (net/ethtool/ioctl.c, ethtool_rxfh_indir_default).
"""

from fullrate.lab.fault import Fault, Kind, run
from fullrate.lab.topology import Place
from fullrate.records.ends import Direction

FAULT = Fault(
    id="rss-single-queue",
    doc="the indirection table of far's igb names queue 0 only",
    link="igb",
    kind=Kind.CONFIGURATION,
    cause="rss-single-queue",
    direction=Direction.NEAR_TO_FAR,
    inject=(run(Place.FAR, "ethtool", "-X", "igb", "weight", "1", "0", "0", "0"),),
    heal=(run(Place.FAR, "ethtool", "-X", "igb", "weight", "1", "1", "1", "1"),),
    innocent=("irq-single-cpu", "single-rx-queue", "rps-single-cpu", "path-loss"),
    core=True,
)
