"""Other hardware addresses for those of a bundle; what kind of address each one is stays.

An address is two numbers, the vendor's and the card's. Each has one replacement wherever it stands, so that what is
made of a MAC address still belongs to it: the address of a link that IPv6 makes of it (RFC 4291, appendix A), the
multicast group of its last three bytes (RFC 4291, 2.7.1), the serial number of a PCI device.
"""

from fullrate.redact.draws import Draws

_CARD_BITS, _SMALL_BITS = 24, 16
_CARD = (1 << _CARD_BITS) - 1
NOBODY = frozenset({0, 0xFFFFFFFFFFFF})
_CLASS = 0x03  # of the first byte: the multicast bit and the bit of locally made addresses (IEEE 802, 8.2)
_PROTOCOLS = frozenset({0x0180C2, 0x01000C, 0x01005E})  # groups of bridges, LLDP, IPv4 multicast: nobody's own
_IPV6_GROUP = 0x3333  # its first two bytes (RFC 2464, 7)
_SOLICITED = 0xFF
_LOCAL = 0x020000  # the bit that RFC 4291 turns over


class Hardware:
    """Hardware addresses, old to new, for one bundle; those that were `seen` are given to nobody."""

    def __init__(self, draws: Draws, seen: frozenset[int]) -> None:
        """Nothing is given yet."""
        self._draws = draws
        self._vendors: dict[int, int] = {}
        self._cards: dict[int, int] = {}
        self._seen_cards = frozenset(one & _CARD for one in seen)
        self._seen_vendors = frozenset(one >> _CARD_BITS for one in seen)

    def mac(self, value: int) -> int:
        """The replacement of a MAC address; none, all and the groups of protocols stay."""
        vendor, card = value >> _CARD_BITS, value & _CARD
        if vendor >> 8 == _IPV6_GROUP and vendor & 0xFF == _SOLICITED:
            return vendor << _CARD_BITS | self.card(card)
        if value in NOBODY or vendor in _PROTOCOLS or vendor >> 8 == _IPV6_GROUP:
            return value
        return self._vendor(vendor) << _CARD_BITS | self.card(card)

    def interface(self, value: int) -> int:
        """The replacement of an IPv6 interface identifier that was made of a MAC address, FF-FE in its middle."""
        vendor = self._vendor(value >> 40 ^ _LOCAL) ^ _LOCAL
        return vendor << 40 | value & 0xFFFF000000 | self.card(value & _CARD)

    def spread(self, value: int) -> int:
        """The replacement of a MAC address with two more bytes in its middle."""
        return self._vendor(value >> 40) << 40 | value & 0xFFFF000000 | self.card(value & _CARD)

    def card(self, value: int) -> int:
        """The replacement of the last three bytes; a small number gives a small one, zero stays."""
        if not value:
            return value
        if value not in self._cards:
            small = value < 1 << _SMALL_BITS
            lowest, highest = (1, 1 << _SMALL_BITS) if small else (1 << _SMALL_BITS, _CARD)
            taken = self._seen_cards | frozenset(self._cards.values())
            self._cards[value] = self._free(taken, f"card {value}", lowest, highest)
        return self._cards[value]

    def _vendor(self, value: int) -> int:
        if value not in self._vendors:
            kind = (value >> 16 & _CLASS) << 16
            taken = self._seen_vendors | _PROTOCOLS | frozenset(self._vendors.values())
            self._vendors[value] = self._free(taken, f"vendor {value}", kind, kind + 0xFFFF)
        return self._vendors[value]

    def _free(self, taken: frozenset[int], what: str, lowest: int, highest: int) -> int:
        size = highest - lowest
        first = self._draws.number("hardware", what, size)
        tries = (lowest + (first + step) % size for step in range(size))
        return next((one for one in tries if one not in taken), lowest + first)
