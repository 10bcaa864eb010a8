"""The settings of one wire of the guest as text: how a healed guest is compared with the one that was broken.

They are read just before a fault is put in: to read every card's takes the emulation too long.
"""

from collections.abc import Iterator

from fullrate.lab.guest.places import Places, asking, of_whole_guest
from fullrate.lab.guest.wiring import Wire
from fullrate.lab.readings import Reading, reading_of
from fullrate.lab.topology import ENDS, Place
from fullrate.records.evidence import QueryCommand

_ETHTOOL = ("-k", "-c", "-g", "-l", "-a", "-x")
_SHOWN = ("-exec", "grep", "-H", ".", "{}", "+")  # of files: each with its name
_OF_AN_END = ("net.ipv4.tcp_rmem", "net.ipv4.tcp_wmem")
_OF_ALL = ("net.core.netdev_max_backlog", "net.core.netdev_budget", "net.core.netdev_budget_usecs")


def read(places: Places, wire: Wire) -> tuple[Reading, ...]:
    """The settings of this wire and of both its ends as they are now."""
    return tuple(
        reading_of(reply, f"{place}: ")
        for place in Place
        for reply in places.at(place).ask(tuple(_requests(place, wire)))
    )


def _requests(place: Place, wire: Wire) -> Iterator[QueryCommand]:
    yield asking(place, "tc", "qdisc")
    if place is Place.ROUTER:
        yield from (asking(place, "tc", "filter", "show", "dev", wire.tap(end), "ingress") for end in "ab")
        return
    yield asking(place, "ip", "addr")
    yield asking(place, "ip", "route", "show", "table", "all")
    yield asking(place, "nft", "list", "ruleset")
    yield asking(place, "sysctl", *_OF_AN_END)
    yield from (asking(place, "ethtool", option, wire.interface) for option in _ETHTOOL)
    if place is ENDS[0]:
        yield asking(place, *of_whole_guest("sysctl", *_OF_ALL))
        yield asking(place, "find", "/proc/irq", "-name", "smp_affinity_list", *_SHOWN)
    yield asking(place, "find", f"/sys/class/net/{wire.interface}/queues", "-name", "rps_cpus", *_SHOWN)
