"""Broadcom BCM573xx, BCM574xx and BCM575xx: 10 to 200 Gbit/s.

Counters: drivers/net/ethernet/broadcom/bnxt/bnxt_ethtool.c (bnxt_ring_rx_stats_str, bnxt_port_stats_arr). The sum
`rx_total_ring_discards` would count each ring's `rx_discards` once more.
"""

from fullrate.records.recipe import Recipe

RECIPE = Recipe(
    id="bnxt_en",
    ring_full=("[[]*]: rx_discards", "rx_total_oom_discards"),
    damaged=("rx_fcs_err_frames", "rx_align_err_frames"),
    pause_received=("rx_pause_frames",),
    pause_sent=("tx_pause_frames",),
    queue_received="[[]*]: rx_ucast_packets",
)
