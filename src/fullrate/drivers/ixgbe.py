"""Intel 82599, X540, X550 and E610: 10 Gbit/s.

Counters: drivers/net/ethernet/intel/ixgbe/ixgbe_ethtool.c (ixgbe_gstrings_stats). `rx_no_dma_resources` is QPRDC: no
descriptor was free; `rx_missed_errors` is MPC: the FIFO was full.
"""

from fullrate.records.recipe import Recipe

RECIPE = Recipe(
    id="ixgbe",
    ring_full=("rx_missed_errors", "rx_no_dma_resources"),
    damaged=("rx_crc_errors",),
    pause_received=("rx_flow_control_xoff",),
    pause_sent=("tx_flow_control_xoff",),
    transmit_stuck=("tx_timeout_count",),
    queue_received="rx_queue_*_packets",
)
