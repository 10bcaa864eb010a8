"""The paravirtual NIC of QEMU and many clouds; its speed is what the hypervisor was told to say.

Counters: drivers/net/virtio_net.c (virtnet_rq_stats_desc); rx_queue_N_drops in Linux 6.1, rxN_drops in 6.12, with
`rx_drops` as their sum. Frames dropped for want of buffers are dropped, and counted, on the hypervisor.
"""

from fullrate.records.recipe import Recipe

RECIPE = Recipe(
    id="virtio_net",
    transmit_stuck=("tx_queue_*_tx_timeouts", "tx[0-9]*_tx_timeouts"),
    queue_received="rx_queue_*_packets",
    label_speed=True,
)
