"""Far hands its packets to another CPU by RPS, through a queue of two packets.

Without GRO: merged packets would be handed over as one (net/core/dev.c, netif_receive_skb_list_internal).
"""

from fullrate.lab.fault import Fault, Kind, run
from fullrate.lab.guest.places import of_whole_guest
from fullrate.lab.topology import Place
from fullrate.records.ends import Direction

_QUEUES = tuple(f"/sys/class/net/igb/queues/rx-{number}/rps_cpus" for number in range(4))
_LENGTH = "net.core.netdev_max_backlog"

FAULT = Fault(
    id="backlog-drops",
    doc="far's igb steers to another CPU by RPS, whose queue holds 2 packets",
    link="igb",
    kind=Kind.EFFECT,
    cause="backlog-drops",
    direction=Direction.NEAR_TO_FAR,
    inject=(
        run(Place.FAR, "ethtool", "-K", "igb", "gro", "off"),
        run(Place.FAR, "tee", *_QUEUES, stdin="8"),
        run(Place.FAR, *of_whole_guest("sysctl", "-qw", f"{_LENGTH}=2")),
    ),
    heal=(
        run(Place.FAR, "tee", *_QUEUES, stdin="0"),
        run(Place.FAR, *of_whole_guest("sysctl", "-qw", f"{_LENGTH}=1000")),
        run(Place.FAR, "ethtool", "-K", "igb", "gro", "on"),
    ),
    innocent=("path-loss", "netfilter-drop", "tc-shaper", "rx-ring-too-small", "nic-rx-overrun"),
    core=True,
)
