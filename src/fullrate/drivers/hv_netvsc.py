"""Hyper-V and Azure's synthetic NIC; its speed is the host's label.

Counters: drivers/net/hyperv/netvsc_drv.c (netvsc_stats). With accelerated networking the traffic goes through a virtual
function of another driver.
"""

from fullrate.records.recipe import Recipe

RECIPE = Recipe(
    id="hv_netvsc",
    ring_full=("rx_no_memory",),
    queue_received="rx_queue_*_packets",
    label_speed=True,
)
