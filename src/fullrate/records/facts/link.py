"""Links, their addresses, counters and routes, as iproute2 and /proc/net/dev report them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from fullrate.records.facts.base import Fact
from fullrate.records.units import BitsPerSecond, Bytes

INTERMEDIATE = "ifb"
_STACKED = {"vlan", "macvlan", "ipvlan", "macsec"}
_BUNDLES = {"bond", "team"}
_BRIDGE = "bridge"


@dataclass(frozen=True, slots=True, kw_only=True)
class Link(Fact):
    """One network interface (`ip -json -details -statistics link`); subject: ifname."""

    ifindex: int
    mtu: int
    operstate: str
    mac: str | None = None
    kind: str | None = None  # veth, vlan, bridge, bond, ...; None for a physical link
    lower: str | None = None  # the ifname below a stacked link; None when absent or in another namespace
    master: str | None = None
    parent_device: str | None = None  # bus address of the device, e.g. 0000:01:00.0
    tx_queues: int | None = None
    rx_queues: int | None = None
    gso_max_size: Bytes | None = None
    gro_max_size: Bytes | None = None
    xdp: bool = False
    qdisc: str | None = None  # the root's kind


# Links that the kernel makes out of nothing and that end in this host. Their ethtool_ops know no ring, coalescing,
# pause, FEC, EEE, module or hash, and their speed is a constant or a port's (drivers/net/veth.c, dummy.c, ifb.c and
# net/bridge/br_device.c). Nothing stands below them in /sys/class/net/*/device.
_WITHOUT_DEVICE = {"veth", "dummy", "ifb", "bridge"}


def without_device(links: Iterable[Link]) -> frozenset[str]:
    """The ifnames of those links that no driver of hardware can tell anything about."""
    return frozenset(link.subject for link in links if link.kind in _WITHOUT_DEVICE and link.parent_device is None)


def without_classes(links: Iterable[Link]) -> frozenset[str]:
    """The ifnames of those links that have no queue: what is none has no classes (net/sched/sch_generic.c, noqueue)."""
    return frozenset(link.subject for link in links if link.qdisc == "noqueue")


def links_to_look_at(links: Iterable[Link]) -> tuple[str, ...]:
    """The ifnames of the physical links; those of every link of a host that has none; the loopback never."""
    found = [link for link in links if link.subject != "lo"]
    return tuple(link.subject for link in found if link.kind is None) or tuple(link.subject for link in found)


def links_below(links: Sequence[Link], name: str) -> tuple[str, ...]:
    """The ifnames of the links that one runs on, nearest first: a VLAN's parent, a bond's members, a bridge's port."""
    known = {link.subject: link for link in links}
    found, turn = [name], 0
    while turn < len(found):
        above = known.get(found[turn])
        found += [below for below in _next_below(links, above) if below in known and below not in found]
        turn += 1
    return tuple(found[1:])


def around(links: Sequence[Link], name: str) -> tuple[str, ...]:
    """The ifnames of a link, of those it runs on, and of the intermediate functional blocks in use.

    A link may lead its packets through such a block (tc-mirred(8)).
    """
    blocks = (link.subject for link in links if link.kind == INTERMEDIATE and link.operstate != "DOWN")
    return (name, *links_below(links, name), *blocks)


def wires_below(links: Sequence[Link], name: str) -> tuple[str, ...]:
    """The ifnames of the physical links whose wires carry a link's packets: its own, or those below it."""
    physical = {link.subject for link in links if link.kind is None} - {"lo"}
    return tuple(each for each in (name, *links_below(links, name)) if each in physical)


def _next_below(links: Sequence[Link], above: Link | None) -> list[str]:
    """Of a bridge one uplink, or none: which of several a packet takes, its forwarding table alone knows."""
    if above is None or above.kind is None:
        return []
    ports = [link for link in links if link.master == above.subject]
    if above.kind in _BUNDLES:
        return [port.subject for port in ports]
    if above.kind == _BRIDGE:
        return _uplink(ports)
    return [above.lower] if above.lower and above.kind in _STACKED else []


def _uplink(ports: Sequence[Link]) -> list[str]:
    uplinks = [port.subject for port in ports if port.kind is None or port.kind in _STACKED | _BUNDLES]
    return uplinks if len(uplinks) == 1 else []


@dataclass(frozen=True, slots=True, kw_only=True)
class Address(Fact):
    """One address of a link; subject: ifname."""

    family: str  # inet or inet6
    address: str
    prefix_length: int
    scope: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Route(Fact):
    """How the kernel would reach an address or network; subject: what was asked for, or the network in a table."""

    ifname: str
    source: str | None = None
    gateway: str | None = None
    kind: str = "unicast"  # local when the address is this host's own
    mtu: int | None = None  # a learned or configured path MTU
    metric: int | None = None  # of two routes to one network the lower is taken; a table without one has 0


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkCounters(Fact):
    """Packet counters of one link since it came up; subject: ifname.

    /proc/net/dev shows `rx_dropped` as rx_dropped + rx_missed_errors (net/core/net-procfs.c, dev_seq_printf_stats).
    Pasted texts need not show them all.
    """

    rx_bytes: int | None = None
    rx_packets: int | None = None
    rx_errors: int | None = None
    rx_dropped: int | None = None
    tx_bytes: int | None = None
    tx_packets: int | None = None
    tx_errors: int | None = None
    tx_dropped: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkRates(Fact):
    """What one link carried over a time, as `sar -n DEV` and `EDEV` print it; per second; subject: ifname."""

    rx_packets: float | None = None
    tx_packets: float | None = None
    rx_rate: BitsPerSecond | None = None
    tx_rate: BitsPerSecond | None = None
    rx_errors: float | None = None
    rx_dropped: float | None = None
    tx_dropped: float | None = None
    rx_fifo: float | None = None
