"""Other IP addresses for those of a bundle: networks stay networks, neighbours stay neighbours, kinds stay kinds.

Every network the bundle names, and every /16 and /24, /48 and /64 besides, is given another place of the same size in
the range of its kind; a network within a network stays within it. Within its network an address is given another
number; the network's own address (all zeros) and its broadcast address (all ones) stay what they are. Private ranges
stay private. What belongs to somebody goes where nobody is: public IPv4 addresses to 240.0.0.0/4 (reserved, RFC 1112),
IPv6 ones to 3fff::/20 (documentation, RFC 9637). Loopback, unspecified and link-local addresses, groups of protocols
and netmasks keep their range, or stay.
"""

import ipaddress
from collections.abc import Iterable
from dataclasses import dataclass

from fullrate.redact.draws import Draws
from fullrate.redact.hardware import Hardware

IPNetwork = ipaddress.IPv4Network | ipaddress.IPv6Network
_HALF = 64  # bits of an IPv6 interface identifier
_TRIES = 4096
_ROOM = 4  # bits: a network that takes more of its range than a sixteenth keeps its place
_SMALL = 1 << 16
_MIDDLE, _EUI = 0xFFFF000000, 0xFFFE000000


@dataclass(frozen=True, slots=True)
class _Home:
    """Where the addresses of one kind are, and where their replacements go."""

    inside: IPNetwork
    to: IPNetwork


def _homes(*pairs: str) -> tuple[_Home, ...]:
    # `inside` or `inside > to`
    split = (pair.split(" > ") for pair in pairs)
    return tuple(_Home(ipaddress.ip_network(one[0]), ipaddress.ip_network(one[-1])) for one in split)


# The first that holds an address counts. What is in none of them stays: loopback, "this network", no address at all.
_HOMES4 = _homes(
    "10.0.0.0/8",
    "172.16.0.0/12",
    "192.168.0.0/16",
    "100.64.0.0/10",
    "169.254.0.0/16",
    "239.0.0.0/8",
    "224.0.0.0/4 > 239.0.0.0/8",
    "0.0.0.0/0 > 240.0.0.0/4",
)
_HOMES6 = _homes("fe80::/64", "fe80::/10", "fec0::/10", "fc00::/7 > fd00::/8", "2000::/3 > 3fff::/20")
_STAY4 = tuple(map(ipaddress.ip_network, ("0.0.0.0/8", "127.0.0.0/8", "224.0.0.0/24")))
_MASKS = frozenset(~((1 << 32 - length) - 1) & 0xFFFFFFFF for length in range(33))
_MASKS6 = frozenset((1 << 128) - (1 << 128 - length) for length in range(8, 129))
_MAPPED = tuple(map(ipaddress.IPv6Network, ("::ffff:0:0/96", "64:ff9b::/96")))
_SOLICITED = ipaddress.IPv6Network("ff02::1:ff00:0/104")
_MULTICAST = ipaddress.IPv6Network("ff00::/8")


class Places:
    """Addresses of one version of IP, old to new."""

    def __init__(self, version: int, draws: Draws, seen: frozenset[int], networks: Iterable[tuple[int, int]]) -> None:
        """`networks` are first address and prefix length."""
        self.bits = 32 if version == 4 else 128  # noqa: PLR2004 - the versions of IP
        self._homes = _HOMES4 if version == 4 else _HOMES6  # noqa: PLR2004
        self._usual = frozenset({16, 24} if version == 4 else {48, _HALF})  # noqa: PLR2004
        self._draws = draws
        self._seen = seen
        self._networks = {(length, first >> self.bits - length) for first, length in networks if length < self.bits - 1}
        self._lengths = sorted({length for length, _ in self._networks} | self._usual)
        self._seen_at: dict[int, frozenset[int]] = {}
        self._given: dict[tuple[int, int], int] = {}
        self._taken: set[tuple[int, int]] = set()
        self._around: set[tuple[int, int]] = set()  # the taken ones, and every network that one of them is in
        if version == 4:  # noqa: PLR2004 - the same
            self._take(8, 255)  # 255.x reads like a netmask

    def home(self, value: int) -> _Home | None:
        """The range of an address's kind; None: it stays."""
        return next((home for home in self._homes if _holds(home.inside, value)), None)

    def replaced(self, value: int, length: int) -> int:
        """The replacement of the first `length` bits of an address; the others are zero, or left to the caller."""
        home = self.home(value)
        if home is None or length < home.to.prefixlen + _ROOM or length <= home.inside.prefixlen:
            return value
        return self._place(value >> self.bits - length, length, home) << self.bits - length

    def parent(self, value: int, length: int, home: _Home) -> int | None:
        """The length of the smallest network around the first `length` bits of an address."""
        floor = max(home.inside.prefixlen, home.to.prefixlen + _ROOM - 1)
        around = (one for one in self._lengths if floor < one < length)
        known = (one for one in around if one in self._usual or (one, value >> self.bits - one) in self._networks)
        return max(known, default=None)

    def _place(self, prefix: int, length: int, home: _Home) -> int:
        if (length, prefix) not in self._given:
            self._given[length, prefix] = self._new_place(prefix, length, home)
        return self._given[length, prefix]

    def _new_place(self, prefix: int, length: int, home: _Home) -> int:
        around = self.parent(prefix << self.bits - length, length, home)
        if around is None:
            base = int(home.to.network_address) >> self.bits - home.to.prefixlen
            return self._free(prefix, length, base, length - home.to.prefixlen, whole=True)
        width = length - around
        base, own = self._place(prefix >> width, around, home), prefix & (1 << width) - 1
        if own in {0, (1 << width) - 1}:
            return base << width | own
        return self._free(prefix, length, base, width, whole=False)

    def _free(self, prefix: int, length: int, base: int, width: int, *, whole: bool) -> int:
        size = 1 << width
        first = self._draws.number(f"address {self.bits}", f"{prefix} {length}", size)
        ends = set() if whole else {0, size - 1}
        numbers = ((first + step) % size for step in range(min(size, _TRIES)))
        places = [base << width | one for one in numbers if one not in ends]
        seen = self._seen_prefixes(length)  # a replacement is to be no other address of the bundle, where there is room
        unseen = (one for one in places if one not in seen and self._is_free(one, length, width))
        free = (one for one in places if self._is_free(one, length, width))
        found = next(unseen, None) or next(free, base << width | first)
        self._take(length, found)
        return found

    def _take(self, length: int, place: int) -> None:
        self._taken.add((length, place))
        self._around |= {(one, place >> length - one) for one in range(1, length + 1)}

    def _is_free(self, place: int, length: int, width: int) -> bool:
        above = ((one, place >> length - one) for one in range(length - width + 1, length))
        return (length, place) not in self._around and not any(one in self._taken for one in above)

    def _seen_prefixes(self, length: int) -> frozenset[int]:
        if length not in self._seen_at:
            self._seen_at[length] = frozenset(value >> self.bits - length for value in self._seen)
        return self._seen_at[length]


class Addresses:
    """IP addresses of both versions, old to new."""

    def __init__(self, places4: Places, places6: Places, hardware: Hardware, draws: Draws) -> None:
        """The tables of one bundle."""
        self._four, self._six = places4, places6
        self._hardware, self._draws = hardware, draws

    def four(self, value: int, length: int = 32) -> int:
        """The replacement of an IPv4 address; `length`: of its network where it stands as one, `10.0.0.0/8`."""
        if value in _MASKS or any(_holds(one, value) for one in _STAY4):
            return value
        return self._as_network(self._four, value, length)

    def six(self, value: int, length: int = 128) -> int:
        """The replacement of an IPv6 address; an IPv4 address in its end is replaced as one."""
        if any(_holds(one, value) for one in _MAPPED):
            return value >> 32 << 32 | self.four(value & 0xFFFFFFFF)
        if _holds(_MULTICAST, value):
            return value if value in _MASKS6 else self._group(value)
        home = self._six.home(value)
        if home is None:
            return value
        if value >> _HALF << _HALF == value:
            return self._as_network(self._six, value, min(length, _HALF))
        if self._six.parent(value, 128, home) not in {_HALF, None}:
            return self._as_network(self._six, value, length)
        return self._six.replaced(value, _HALF) >> _HALF << _HALF | self._interface(value)

    def _as_network(self, places: Places, value: int, length: int) -> int:
        rest = places.bits - length
        if value >> rest << rest == value:
            return places.replaced(value, length)
        return places.replaced(value, places.bits)

    def _interface(self, value: int) -> int:
        own = value & (1 << _HALF) - 1
        if own & _MIDDLE == _EUI:
            return self._hardware.interface(own)
        card = self._hardware.card(own & 0xFFFFFF)
        if own < _SMALL:
            return card
        return self._draws.number("interface", str(own >> 24), 1 << 40) << 24 | card

    def _group(self, value: int) -> int:
        if _holds(_SOLICITED, value):
            return value >> 24 << 24 | self._hardware.card(value & 0xFFFFFF)
        own = value & (1 << 112) - 1
        if own < _SMALL << 16:  # groups that a protocol has, ff02::fb, ff02::1:2
            return value
        return value >> 112 << 112 | self._draws.number("group", str(own), 1 << 112)


def _holds(network: IPNetwork, value: int) -> bool:
    rest = network.max_prefixlen - network.prefixlen
    return value >> rest == int(network.network_address) >> rest
