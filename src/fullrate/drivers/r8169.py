"""Realtek RTL8168, RTL8111, RTL8125 and their kin, the driver of the kernel: one receive queue.

Counters: drivers/net/ethernet/realtek/r8169_main.c (rtl8169_gstrings). `rx_missed` is 16 bits wide in the chip and
wraps; `rx_errors` counts overruns too, so only `align_errors` tells of damage.
"""

from fullrate.records.recipe import Recipe

RECIPE = Recipe(
    id="r8169",
    ring_full=("rx_missed",),
    damaged=("align_errors",),
    single_queue=True,
)
