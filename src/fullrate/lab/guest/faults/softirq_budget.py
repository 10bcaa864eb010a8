"""Each round of far's polling ends after two packets."""

from fullrate.lab.fault import Fault, Kind, run
from fullrate.lab.guest.places import of_whole_guest
from fullrate.lab.topology import Place
from fullrate.records.ends import Direction

_BUDGET = "net.core.netdev_budget"

FAULT = Fault(
    id="softirq-budget",
    doc="the guest's softirqs poll 2 packets a round, far's e1000 overflows meanwhile",
    link="e1000",
    kind=Kind.EFFECT,
    cause="softirq-budget",
    direction=Direction.NEAR_TO_FAR,
    inject=(run(Place.FAR, *of_whole_guest("sysctl", "-qw", f"{_BUDGET}=2")),),
    heal=(run(Place.FAR, *of_whole_guest("sysctl", "-qw", f"{_BUDGET}=300")),),
    innocent=("path-loss", "netfilter-drop", "tc-shaper", "backlog-drops"),
)
