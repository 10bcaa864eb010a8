"""Mellanox ConnectX-3: 10 to 56 Gbit/s.

Counters: drivers/net/ethernet/mellanox/mlx4/en_ethtool.c (main_strings). `rx_dropped` is RDROP, no receive buffer, and
`rx_fifo_errors` RdropOvflw (en_port.c, mlx4_en_DUMP_ETH_STATS).
"""

from fullrate.records.recipe import Recipe

RECIPE = Recipe(
    id="mlx4_en",
    ring_full=("rx_dropped", "rx_fifo_errors"),
    damaged=("rx_crc_errors",),
    pause_received=("rx_pause",),
    pause_sent=("tx_pause",),
    pause_time_received=("rx_pause_duration",),
    pause_time_sent=("tx_pause_duration",),
    transmit_stuck=("tx_timeout",),
    queue_received="rx*_packets",
)
