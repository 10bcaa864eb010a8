"""VMware's paravirtual NIC; its 10 Gbit/s are a label.

Counters: drivers/net/vmxnet3/vmxnet3_ethtool.c (vmxnet3_rq_dev_stats, vmxnet3_rq_driver_stats), without their leading
blanks. A name stands once a queue. The shown speed is what the host says (vmxnet3_check_link).
"""

from fullrate.records.recipe import Recipe

RECIPE = Recipe(
    id="vmxnet3",
    ring_full=("pkts rx OOB",),
    damaged=("fcs",),
    transmit_stuck=("tx timeout count",),
    label_speed=True,
)
