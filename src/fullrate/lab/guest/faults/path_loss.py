"""The wire loses a part of the packets towards far.

Which ones, a bit pattern of the IPv4 identification decides: it rises by one a packet (Linux, net/ipv4/ip_output.c,
ip_select_ident_segs), and is another when the packet is sent again. They are led to a tap that nobody reads, which
needs no more of this machine's kernel than the wire does.
"""

from fullrate.lab.fault import Fault, Kind, run
from fullrate.lab.topology import Place
from fullrate.records.ends import Direction

_VOID = "void0"
_AT = ("dev", "t1a", "parent", "ffff:", "protocol", "ip", "prio", "1")
_ONE_IN_32 = ("u32", "match", "u16", "0x7", "0x1f", "at", "4")

FAULT = Fault(
    id="path-loss",
    doc="the wire drops one in 32 of near's packets",
    link="igb",
    kind=Kind.EFFECT,
    cause="path-loss",
    direction=Direction.NEAR_TO_FAR,
    inject=(
        run(Place.ROUTER, "ip", "tuntap", "add", "dev", _VOID, "mode", "tap"),
        run(Place.ROUTER, "ip", "link", "set", _VOID, "up"),
        run(
            Place.ROUTER,
            "tc",
            "filter",
            "add",
            *_AT,
            *_ONE_IN_32,
            "action",
            "mirred",
            "egress",
            "redirect",
            "dev",
            _VOID,
        ),
    ),
    heal=(
        run(Place.ROUTER, "tc", "filter", "del", *_AT),
        run(Place.ROUTER, "ip", "link", "del", _VOID),
    ),
    innocent=("netfilter-drop", "tc-shaper", "qdisc-drops", "rx-ring-too-small", "tcp-buffers-too-small"),
    core=True,
)
