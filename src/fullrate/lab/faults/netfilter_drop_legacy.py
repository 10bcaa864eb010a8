"""A rule of far's own, in a table of legacy iptables that nft does not show, drops a part of what arrives."""

from fullrate.lab.fault import Fault, Kind, run
from fullrate.lab.topology import Place
from fullrate.records.ends import Direction

FAULT = Fault(
    id="netfilter-drop-legacy",
    doc="an iptables-legacy rule on far's input drops 3 % of the packets",
    link="wire",
    kind=Kind.EFFECT,
    cause="netfilter-drop",
    direction=Direction.NEAR_TO_FAR,
    inject=(
        run(
            Place.FAR,
            *("iptables-legacy", "-t", "filter", "-A", "INPUT"),
            *("-m", "statistic", "--mode", "random", "--probability", "0.03", "-j", "DROP"),
        ),
    ),
    heal=(run(Place.FAR, "iptables-legacy", "-t", "filter", "-F", "INPUT"),),
    innocent=("path-loss", "tcp-buffers-too-small", "tc-shaper", "qdisc-drops", "backlog-drops", "cpu-bound-host"),
)
