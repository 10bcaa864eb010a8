"""A pair of virtual links within one host; its 10 Gbit/s are a constant.

Counters: drivers/net/veth.c (veth_rq_stats_desc): `drops` is the ring of a veth with NAPI, full. The speed:
veth_get_link_ksettings.
"""

from fullrate.records.recipe import Recipe

RECIPE = Recipe(
    id="veth",
    ring_full=("rx_queue_*[0-9]_drops",),
    label_speed=True,
)
