"""Broadcom BCM57xx: 1 Gbit/s.

Counters: drivers/net/ethernet/broadcom/tg3.c (ethtool_stats_keys). `rxbds_empty` counts moments without a descriptor,
`rx_discards` the frames lost.
"""

from fullrate.records.recipe import Recipe

RECIPE = Recipe(
    id="tg3",
    ring_full=("rx_discards",),
    bus_slow=("dma_writeq_full", "dma_write_prioq_full"),
    damaged=("rx_fcs_errors", "rx_align_errors"),
    pause_received=("rx_xoff_pause_rcvd",),
    pause_sent=("tx_xoff_sent",),
)
