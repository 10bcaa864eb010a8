"""NVIDIA ConnectX-4 and later, BlueField: 10 to 400 Gbit/s.

Counters: drivers/net/ethernet/mellanox/mlx5/core/en_stats.c; their meaning:
Documentation/networking/device_drivers/ethernet/mellanox/mlx5/counters.rst. `rx_out_of_buffer`: the software had posted
no buffers; `rx_discards_phy`: the port could not pass frames on to the host, as when PCIe is slow.
"""

from fullrate.records.recipe import Recipe

RECIPE = Recipe(
    id="mlx5_core",
    ring_full=("rx_out_of_buffer",),
    bus_slow=("rx_discards_phy", "outbound_pci_buffer_overflow"),
    damaged=("rx_crc_errors_phy",),
    pause_received=("rx_pause_ctrl_phy",),
    pause_sent=("tx_pause_ctrl_phy",),
    pause_time_received=("rx_global_pause_duration",),
    pause_time_sent=("tx_global_pause_duration",),
    transmit_stuck=("tx_recover",),
    queue_received="rx[0-9]*_packets",
)
