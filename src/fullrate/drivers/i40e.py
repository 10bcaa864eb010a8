"""Intel X710, XL710 and X722: 1 to 40 Gbit/s.

Counters: drivers/net/ethernet/intel/i40e/i40e_ethtool.c (i40e_gstrings_stats, i40e_gstrings_queue_stats).
"""

from fullrate.records.recipe import Recipe

RECIPE = Recipe(
    id="i40e",
    ring_full=("port.rx_discards",),
    damaged=("port.rx_crc_errors",),
    pause_received=("port.link_xoff_rx",),
    pause_sent=("port.link_xoff_tx",),
    transmit_stuck=("port.tx_timeout",),
    queue_received="rx-*.packets",
)
