"""Aquantia and Marvell AQC107, AQC113: 5 and 10 Gbit/s.

Counters: drivers/net/ethernet/aquantia/atlantic/aq_ethtool.c (aq_ethtool_stat_names, aq_ethtool_queue_rx_stat_names).
"""

from fullrate.records.recipe import Recipe

RECIPE = Recipe(
    id="atlantic",
    ring_full=("InDroppedDma",),
    damaged=("InErrors",),
    queue_received="Queue[[]*] InPackets",
)
