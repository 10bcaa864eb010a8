"""Far tracks connections and its table has room for one."""

from fullrate.lab.fault import Fault, Kind, filtering, filtering_back, run
from fullrate.lab.guest.places import of_whole_guest
from fullrate.lab.topology import Place
from fullrate.records.ends import Direction

_MOST = "net.netfilter.nf_conntrack_max"

FAULT = Fault(
    id="conntrack-table-full",
    doc="far tracks connections, and its table holds one",
    link="igb",
    kind=Kind.EFFECT,
    cause="conntrack-table-full",
    direction=Direction.NEAR_TO_FAR,
    inject=(
        filtering(Place.FAR, "input", "ct state new counter"),
        run(Place.FAR, *of_whole_guest("sysctl", "-qw", f"{_MOST}=1")),
    ),
    heal=(
        run(Place.FAR, *of_whole_guest("sysctl", "-qw", f"{_MOST}=65536")),
        filtering_back(Place.FAR),
    ),
    innocent=("path-loss", "netfilter-drop", "tc-shaper", "mtu-blackhole"),
)
