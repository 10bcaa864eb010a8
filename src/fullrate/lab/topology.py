"""The practice network as data: three namespaces, two links, the actions that make them and take them away.

::

    fullrate-a           fullrate-r (the wire)          fullrate-b
    wire0 10.77.1.2 -- wire-a 10.77.1.1 | wire-b 10.77.2.1 -- wire0 10.77.2.2     1 Gbit/s
    cpu0  10.77.3.2 -- cpu-a  10.77.3.1 | cpu-b  10.77.4.1 -- cpu0  10.77.4.2     5 Gbit/s

Everything stands inside the namespaces; nothing is ever made in the host's own.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import product

from fullrate.records.errors import UsageError
from fullrate.records.evidence import Action, ChangeCommand, change
from fullrate.records.units import BITS_PER_BYTE, BitsPerSecond, Bytes, Seconds

# tbf counts the Ethernet header (14), a wire also preamble, FCS and gap (24): IEEE 802.3, full frame 1500 + 38.
_COUNTED, _ON_THE_WIRE = 1514, 1538
_LEAST_BURST: Bytes = 128 * 1024  # two 64 KB superframes
_BURST_TIME: Seconds = 0.001
_LIMIT: Bytes = 4_000_000
_CONGESTION_CONTROL = "cubic"

# Set at build time and put back by every heal: the lab behaves the same whatever the host's defaults are.
BASELINE = {
    "net.ipv4.tcp_rmem": "4096 131072 33554432",
    "net.ipv4.tcp_wmem": "4096 65536 16777216",
    "net.ipv4.tcp_no_metrics_save": "1",  # a fault's loss must not slow the run after its heal
}
_FORWARDING = {
    "net.ipv4.ip_forward": "1",
    "net.ipv6.conf.all.forwarding": "1",
    "net.ipv4.conf.all.rp_filter": "0",
    "net.ipv4.conf.default.rp_filter": "0",
}


class Place(StrEnum):
    """One of the three machines of the lab."""

    NEAR = "near"
    ROUTER = "router"
    FAR = "far"

    @property
    def letter(self) -> str:
        """Its short name: a, r or b."""
        return {Place.NEAR: "a", Place.ROUTER: "r", Place.FAR: "b"}[self]

    @property
    def namespace(self) -> str:
        """Its network namespace."""
        return f"fullrate-{self.letter}"


ENDS = (Place.NEAR, Place.FAR)


@dataclass(frozen=True, slots=True, kw_only=True)
class LabLink:
    """One path from near to far; `rules` is the length of the rule list every packet passes on the wire.

    A veth sends a packet for a fraction of what a NIC's driver needs, so without a price per packet no fault
    that multiplies packets would show. Superframes pay it once, so a healthy flow does not feel it.
    """

    name: str
    speed: BitsPerSecond
    subnets: tuple[int, int]
    rules: int = 0

    @property
    def interface(self) -> str:
        """The interface of both ends."""
        return f"{self.name}0"

    def port(self, end: Place) -> str:
        """The router's interface towards an end."""
        return f"{self.name}-{end.letter}"

    def subnet(self, end: Place) -> int:
        """The number of the subnet between an end and the router."""
        return self.subnets[ENDS.index(end)]

    def address(self, end: Place) -> str:
        """The IPv4 address of an end."""
        return f"10.77.{self.subnet(end)}.2"

    def address6(self, end: Place) -> str:
        """The IPv6 address of an end."""
        return f"fd77:{self.subnet(end)}::2"


LINKS = (
    LabLink(name="wire", speed=1e9, subnets=(1, 2)),
    LabLink(name="cpu", speed=5e9, subnets=(3, 4), rules=150),
)


def link_named(name: str) -> LabLink:
    """The link of that name. Raises UsageError."""
    for link in LINKS:
        if link.name == name:
            return link
    raise UsageError(f"the lab has no link {name!r}; it has {' and '.join(link.name for link in LINKS)}")


def inside(place: Place, *argv: str, stdin: str = "", timeout: Seconds = 10.0) -> ChangeCommand:
    """The action to run `argv` in a namespace of the lab."""
    return change("ip", "netns", "exec", place.namespace, *argv, stdin=stdin, timeout=timeout)


def other(end: Place) -> Place:
    """The opposite end."""
    return Place.FAR if end is Place.NEAR else Place.NEAR


def build(cpus: tuple[int, ...]) -> tuple[Action, ...]:
    """The actions that make the lab, in order; `cpus` are those of near and far, empty when there is one only."""
    halves = tuple(product(LINKS, ENDS))
    return (
        *(action for place in Place for action in _namespace(place)),
        *(action for link, end in halves for action in _half(link, end)),
        *(action for link, end in halves for action in _routes(link, end)),
        *(action for link in LINKS for action in _price(link)),
        *_steering(cpus),
    )


def remove() -> tuple[Action, ...]:
    """The actions that take the lab away; any of them may find nothing to do."""
    return (
        *(_ip(end, "link", "del", link.interface) for link in LINKS for end in ENDS),
        *(change("ip", "netns", "del", place.namespace) for place in Place),
    )


def shaped_rate(speed: BitsPerSecond) -> int:
    """The rate tbf needs so that full frames fill a wire of `speed` exactly."""
    return round(speed * _COUNTED / _ON_THE_WIRE)


def burst(speed: BitsPerSecond) -> Bytes:
    """The bucket: a millisecond, at least two superframes."""
    return max(_LEAST_BURST, round(shaped_rate(speed) * _BURST_TIME / BITS_PER_BYTE))


def cpu_mask(cpu: int) -> str:
    """One CPU as sysfs wants a mask: hexadecimal, a comma between 32-bit words."""
    words = ["0" * 8] * (cpu // 32)
    return ",".join([f"{1 << cpu % 32:x}", *words])


def _ip(place: Place, *words: str) -> ChangeCommand:
    return change("ip", "-n", place.namespace, *words)


def _namespace(place: Place) -> tuple[Action, ...]:
    settings = _FORWARDING if place is Place.ROUTER else BASELINE
    return (
        change("ip", "netns", "add", place.namespace),
        _ip(place, "link", "set", "lo", "up"),
        inside(place, "sysctl", "-qw", *(f"{name}={value}" for name, value in settings.items())),
    )


def _half(link: LabLink, end: Place) -> tuple[Action, ...]:
    port, net = link.port(end), link.subnet(end)
    peer = ("peer", "name", link.interface, "address", _mac(net, 2), "netns", end.namespace)
    return (
        _ip(Place.ROUTER, "link", "add", port, "address", _mac(net, 1), "type", "veth", *peer),
        *_interface(Place.ROUTER, port, f"10.77.{net}.1/24", f"fd77:{net}::1/64"),
        *_interface(end, link.interface, f"{link.address(end)}/24", f"{link.address6(end)}/64"),
        change(
            "tc",
            "-n",
            Place.ROUTER.namespace,
            "qdisc",
            "replace",
            "dev",
            port,
            "root",
            "handle",
            "1:",
            *shaper(link.speed),
        ),
    )


def _mac(net: int, host: int) -> str:
    """A locally administered address: two labs read the same."""
    return f"02:00:0a:4d:{net:02x}:{host:02x}"


def _interface(place: Place, name: str, address: str, address6: str) -> tuple[Action, ...]:
    return (
        _ip(place, "link", "set", name, "addrgenmode", "none"),
        _ip(place, "link", "set", name, "up"),
        _ip(place, "addr", "add", address, "dev", name),
        _ip(place, "addr", "add", address6, "dev", name, "nodad"),
    )


def shaper(speed: BitsPerSecond, limit: Bytes = _LIMIT, bucket: Bytes = 0) -> tuple[str, ...]:
    """What tc(8) is told so that full frames fill a wire of `speed` exactly; `limit`: what may wait."""
    size = bucket or burst(speed)
    return ("tbf", "rate", f"{shaped_rate(speed)}bit", "burst", str(size), "limit", str(limit))


def _routes(link: LabLink, end: Place) -> tuple[Action, ...]:
    near, far = link.subnet(end), link.subnet(other(end))
    to = ("dev", link.interface, "congctl", _CONGESTION_CONTROL)
    return (
        _ip(end, "route", "replace", f"10.77.{far}.0/24", "via", f"10.77.{near}.1", *to),
        _ip(end, "-6", "route", "replace", f"fd77:{far}::/64", "via", f"fd77:{near}::1", *to),
    )


def _price(link: LabLink) -> tuple[Action, ...]:
    """Rules that never match, on the packets of one link: time per packet, no effect."""
    if not link.rules:
        return ()
    ports = ", ".join(f'"{link.port(end)}"' for end in ENDS)
    rules = (f"iifname != {{ {ports} }} accept", *(f"meta mark {number + 1} drop" for number in range(link.rules)))
    chain = "\n".join(("type filter hook forward priority 0; policy accept;", *rules))
    return (inside(Place.ROUTER, "nft", "-f", "-", stdin=f"table inet price {{\nchain forward {{\n{chain}\n}}\n}}\n"),)


def _steering(cpus: tuple[int, ...]) -> Iterator[Action]:
    for link in LINKS:
        for end, cpu in zip(ENDS, cpus, strict=False):
            yield from _steer(link, end, cpu)


def _steer(link: LabLink, end: Place, cpu: int) -> tuple[Action, ...]:
    """Keep an end's receiving, and the wire's work for what it sends, on the end's own CPU."""
    places = ((end, link.interface), (Place.ROUTER, link.port(end)))
    return tuple(
        inside(place, "tee", f"/sys/class/net/{name}/queues/rx-0/rps_cpus", stdin=cpu_mask(cpu))
        for place, name in places
    )
