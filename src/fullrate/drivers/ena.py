"""Amazon's Elastic Network Adapter.

Counters: drivers/net/ethernet/amazon/ena/ena_ethtool.c (ena_stats_global_strings, ena_stats_eni_strings,
ena_stats_rx_strings). `empty_rx_ring` counts moments, not frames. Exceeded allowances are the
provider's limits of the instance.
"""

from fullrate.records.recipe import Recipe

RECIPE = Recipe(
    id="ena",
    ring_full=("queue_*_rx_empty_rx_ring",),
    transmit_stuck=("tx_timeout",),
    allowance=("*_allowance_exceeded",),
    queue_received="queue_*_rx_cnt",
)
