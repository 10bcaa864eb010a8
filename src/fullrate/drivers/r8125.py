"""Realtek RTL8125 with the vendor's own driver: 2.5 Gbit/s.

Counters: rtl8125_gstrings in r8125_n.c of that driver, which kernels do not hold. `rx_errors` counts overruns too. The
number of queues is a choice made when it was built.
"""

from fullrate.records.recipe import Recipe

RECIPE = Recipe(
    id="r8125",
    ring_full=("rx_missed",),
    damaged=("align_errors",),
    pause_received=("rx_pause_on",),
    pause_sent=("tx_pause_on",),
)
