"""Pairs of faults that can be in the lab at once: the larger one must be named, the smaller one should not hide it.

Most act in one direction each, so that both are felt and it is measured which of them costs more.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """Two faults of one link; `larger` costs more rate."""

    larger: str
    smaller: str


# larger | smaller
_TABLE = """
htb-far | competing-traffic
htb-far | netfilter-drop
htb-far | netfilter-drop-output
htb-far | path-loss-back
htb-far | path-policer
htb-near | cpu-quota-near
htb-near | offload-off-far
mtu-blackhole | htb-far
mtu-blackhole | path-loss-back
mtu-blackhole-back | netfilter-drop
mtu-blackhole-back | tc-shaper
netfilter-limit-far | cpu-quota-near
netfilter-limit-far | offload-off-far
qdisc-drops | htb-far
server-busy | tc-shaper
shaper-far-ingress | path-loss-back
tc-shaper | competing-traffic-back
tc-shaper | path-loss-back
tc-shaper-20m | netfilter-drop
tc-shaper-20m | path-loss
"""


def _read(row: str) -> Pair:
    larger, smaller = row.split(" | ")
    return Pair(larger=larger, smaller=smaller)


PAIRS = tuple(map(_read, _TABLE.strip().splitlines()))
