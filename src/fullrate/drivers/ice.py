"""Intel E810, E82x and E830: 1 to 200 Gbit/s.

Counters: drivers/net/ethernet/intel/ice/ice_ethtool.c (ice_gstrings_vsi_stats, ice_gstrings_pf_stats). `rx_dropped` is
of the queues, `rx_dropped.nic` of the port.
"""

from fullrate.records.recipe import Recipe

RECIPE = Recipe(
    id="ice",
    ring_full=("rx_dropped", "rx_dropped.nic"),
    damaged=("rx_crc_errors.nic",),
    pause_received=("link_xoff_rx.nic",),
    pause_sent=("link_xoff_tx.nic",),
    transmit_stuck=("tx_timeout.nic",),
    queue_received="rx_queue_*_packets",
)
