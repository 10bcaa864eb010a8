"""Intel I225 and I226: 2.5 Gbit/s.

Counters: drivers/net/ethernet/intel/igc/igc_ethtool.c (igc_gstrings_stats), named as those of igb.
"""

from fullrate.records.recipe import Recipe

RECIPE = Recipe(
    id="igc",
    ring_full=("rx_missed_errors", "rx_queue_*_drops"),
    damaged=("rx_crc_errors", "rx_align_errors"),
    pause_received=("rx_flow_control_xoff",),
    pause_sent=("tx_flow_control_xoff",),
    transmit_stuck=("tx_timeout_count",),
    queue_received="rx_queue_*_packets",
)
