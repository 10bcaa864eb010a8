"""Intel 82571 to I219: 1 Gbit/s, one receive queue.

Counters: drivers/net/ethernet/intel/e1000e/ethtool.c (e1000_gstrings_stats). `rx_frame_errors` is `rx_align_errors`
once more; `rx_no_buffer_count` counts moments without a descriptor at which nothing was lost yet.
"""

from fullrate.records.recipe import Recipe

RECIPE = Recipe(
    id="e1000e",
    ring_full=("rx_missed_errors",),
    bus_slow=("rx_dma_failed", "tx_dma_failed"),
    damaged=("rx_crc_errors", "rx_align_errors"),
    pause_received=("rx_flow_control_xoff",),
    pause_sent=("tx_flow_control_xoff",),
    transmit_stuck=("tx_timeout_count",),
    single_queue=True,
)
