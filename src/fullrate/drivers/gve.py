"""Google's virtual NIC.

Counters: drivers/net/ethernet/google/gve/gve_ethtool.c (gve_gstrings_main_stats, gve_gstrings_rx_stats). Those of the
NIC's side are there only while the private flag report-stats is on.
"""

from fullrate.records.recipe import Recipe

RECIPE = Recipe(
    id="gve",
    ring_full=("rx_no_buffers_posted[[]*]", "rx_queue_drop_cnt[[]*]"),
    transmit_stuck=("tx_timeouts",),
)
