"""Intel 82575 to I354, I210 and I211: 1 Gbit/s.

Counters: drivers/net/ethernet/intel/igb/igb_ethtool.c (igb_gstrings_stats). `rx_no_buffer_count` counts moments without
a descriptor at which nothing was lost yet, so it is left out; `rx_queue_N_drops` and `rx_missed_errors` are different
frames.
"""

from fullrate.records.recipe import Recipe

RECIPE = Recipe(
    id="igb",
    ring_full=("rx_missed_errors", "rx_queue_*_drops"),
    damaged=("rx_crc_errors", "rx_align_errors"),
    pause_received=("rx_flow_control_xoff",),
    pause_sent=("tx_flow_control_xoff",),
    transmit_stuck=("tx_timeout_count",),
    queue_received="rx_queue_*_packets",
)
