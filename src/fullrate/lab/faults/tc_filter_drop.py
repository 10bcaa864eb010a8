"""A tc filter on far's own link drops a part of what arrives, where a policer would stand.

A kernel may be built without a policer (act_police). This filter is classic BPF: it loads the random number that the
kernel offers to filters (SKF_AD_RANDOM, include/uapi/linux/filter.h) and says TC_ACT_SHOT (2) below 3 % of its range.
"""

from fullrate.lab.fault import Fault, Kind, run
from fullrate.lab.topology import Place
from fullrate.records.ends import Direction

_RANDOM = 2**32 - 0x1000 + 56  # SKF_AD_OFF + SKF_AD_RANDOM
_BELOW = round(0.03 * 2**32)
# if random >= _BELOW goto the last; drop; go on with the next filter (TC_ACT_UNSPEC)
_PROGRAM = f"4,32 0 0 {_RANDOM},53 1 0 {_BELOW},6 0 0 2,6 0 0 4294967295,"

FAULT = Fault(
    id="tc-filter-drop",
    doc="a tc filter at far's ingress drops 3 % of the packets",
    link="wire",
    kind=Kind.EFFECT,
    cause="policer-loss",
    direction=Direction.NEAR_TO_FAR,
    inject=(
        run(Place.FAR, "tc", "qdisc", "add", "dev", "wire0", "handle", "ffff:", "ingress"),
        run(
            *(Place.FAR, "tc", "filter", "add", "dev", "wire0", "parent", "ffff:"),
            *("bpf", "bytecode", _PROGRAM, "direct-action"),
        ),
    ),
    heal=(run(Place.FAR, "tc", "qdisc", "del", "dev", "wire0", "ingress"),),
    innocent=("netfilter-drop", "tcp-buffers-too-small", "tc-shaper", "qdisc-drops", "backlog-drops", "cpu-bound-host"),
    core=True,
)
