"""Intel 82540 to 82547, today a model that hypervisors emulate: 1 Gbit/s, one receive queue.

Counters: drivers/net/ethernet/intel/e1000/e1000_ethtool.c (e1000_gstrings_stats). PCI and PCI-X cards with these chips
are all but gone; QEMU, VirtualBox and VMware emulate the 82540EM and the 82545EM.
"""

from fullrate.records.recipe import Recipe

RECIPE = Recipe(
    id="e1000",
    ring_full=("rx_missed_errors",),
    damaged=("rx_crc_errors", "rx_align_errors"),
    pause_received=("rx_flow_control_xoff",),
    pause_sent=("tx_flow_control_xoff",),
    transmit_stuck=("tx_timeout_count",),
    single_queue=True,
    emulated=True,
)
