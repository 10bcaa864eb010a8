"""Addresses in every form that a text gives them: dotted, in pairs of digits, packed into one hexadecimal number."""

import ipaddress
import re
from collections.abc import Callable
from enum import StrEnum

from fullrate.redact.addresses import Addresses, Places
from fullrate.redact.draws import Draws
from fullrate.redact.hardware import Hardware
from fullrate.redact.learned import Learned, around_six, as_six, host_order, is_version, prefix_length

# Rows of hexadecimal numbers that are no addresses, though one may look like it: counters, sets of CPUs.
_NO_ADDRESSES = re.compile(r"softnet_stat|/net/stat/|affinity|cpus|/queues|/proc/(?:interrupts|stat|softirqs)\b")
_WRITTEN_WITH_PORT = ("run ss ", "run netstat ")  # `2001:db8::1:5201`
_FOUR_BYTES, _FOUR_BITS, _SIX_BITS = 4, 32, 128
_ARPA = "ip6.arpa"
_IN_THE_MIDDLE = frozenset({"fffe", "ffff"})  # of a MAC address of eight bytes (IEEE: EUI-64)


class Kind(StrEnum):
    """What is replaced, as a sentence counts it."""

    FOUR = "IPv4 address"
    SIX = "IPv6 address"
    MAC = "MAC address"
    HOST = "host name"
    USER = "user name"
    SERIAL = "serial number"
    SSID = "wireless network"
    TEXT = "comment"
    ID = "other identifier"

    @property
    def plural(self) -> str:
        """The word for several."""
        return f"{self}es" if self.endswith("s") else f"{self}s"


class Forms:
    """Addresses, old to new, each in the form it had; `met` gathers the different ones."""

    def __init__(self, learned: Learned, draws: Draws) -> None:
        """Make the tables of everything that was learned."""
        self.met: dict[Kind, set[str]] = {kind: set() for kind in Kind}
        self._learned, self._draws = learned, draws
        self._hardware = Hardware(draws, frozenset(learned.macs))
        places4 = Places(4, draws, frozenset(learned.four), learned.networks4)
        places6 = Places(6, draws, frozenset(learned.six), learned.networks6)
        self._addresses = Addresses(places4, places6, self._hardware, draws)
        self._by_form: dict[str, Callable[[re.Match[str], str], str]] = {
            "four": lambda found, _: self._dotted_four(found),
            "dashed": lambda found, _: self._dashed(found[0]),
            "six": self._colons,
            "pairs": lambda found, _: self._pairs(found[0]),
            "dotted": lambda found, _: self._pairs(found[0]),
            "named": lambda found, _: found[0][:3] + self.bare_mac(found[0][3:]),
            "socket": lambda found, _: self._socket(found[0]),
            "match": lambda found, _: f"{self._four(int(found[0], 16), _FOUR_BITS):08x}",
            "hex": lambda found, key: found[0] if _NO_ADDRESSES.search(key) else self._hex(found[0]),
            "uuid": lambda found, _: self.digits(found[0]),
            "arpa": lambda found, _: self.digits(found[0].removesuffix(_ARPA)) + _ARPA,
            "key": lambda found, _: self.key(found[0]),
        }

    def form(self, found: re.Match[str], key: str) -> str:
        """What stands in place of one match of TOKENS, in the answer to the request `key`."""
        return self._by_form[found.lastgroup or ""](found, key)

    def packed(self, data: bytes) -> bytes:
        """An address in its 4 or 16 bytes."""
        value = int.from_bytes(data, "big")
        made = self._four(value, _FOUR_BITS) if len(data) == _FOUR_BYTES else self._six(value, _SIX_BITS)
        return made.to_bytes(len(data), "big")

    def bare_mac(self, digits: str) -> str:
        """A MAC address in its twelve digits."""
        return _cased(f"{self._mac(int(digits, 16)):012x}", digits)

    def digits(self, text: str) -> str:
        """Hexadecimal numbers that tell a thing apart, with whatever stands between them."""
        made = re.sub("[0-9A-Fa-f]+", lambda found: self._draws.hexadecimal(found[0]), text)
        if made != text:
            self.met[Kind.ID].add(text)
        return made

    def key(self, text: str) -> str:
        """A key in base 64."""
        self.met[Kind.ID].add(text)
        return self._draws.shaped(text)

    def _four(self, value: int, length: int) -> int:
        made = self._addresses.four(value, length)
        if made != value:
            self.met[Kind.FOUR].add(str(value))
        return made

    def _six(self, value: int, length: int) -> int:
        made = self._addresses.six(value, length)
        if made != value:
            self.met[Kind.SIX].add(str(value))
        return made

    def _dotted_four(self, found: re.Match[str]) -> str:
        value = int(ipaddress.IPv4Address(found[0]))
        if value not in self._learned.four and is_version(found.string, found):
            return found[0]
        length = prefix_length(found.string, found.end(), _FOUR_BITS)
        return str(ipaddress.IPv4Address(self._four(value, length)))

    def _colons(self, found: re.Match[str], key: str) -> str:
        behind = found.string[found.end() : found.end() + 1]
        start, address, end = around_six(found[0], with_port=key.startswith(_WRITTEN_WITH_PORT) and behind != "]")
        length = _SIX_BITS if end else prefix_length(found.string, found.end(), _SIX_BITS)
        return f"{start}{self._spelled(address, length)}{end}"

    def _dashed(self, text: str) -> str:
        # ip-10-1-2-3, as clouds call their hosts
        value = int(ipaddress.IPv4Address(text.replace("-", ".")))
        if value not in self._learned.four:
            return text
        return str(ipaddress.IPv4Address(self._four(value, _FOUR_BITS))).replace(".", "-")

    def _spelled(self, text: str, length: int) -> str:
        address = as_six(text)
        if address is None:
            return text
        value = int(address)
        made = self._six(value, length)
        if made == value:
            return text
        if "." in text:
            return f"{text[: text.rindex(':') + 1]}{ipaddress.IPv4Address(made & 0xFFFFFFFF)}"
        return str(ipaddress.IPv6Address(made))

    def _mac(self, value: int) -> int:
        made = self._hardware.mac(value)
        if made != value:
            self.met[Kind.MAC].add(str(value))
        return made

    def _pairs(self, text: str) -> str:
        # aa:bb:cc:dd:ee:ff, aa-bb-..., aabb.ccdd.eeff; longer rows are a frame's head, an EUI-64, a key
        digits = re.sub("[^0-9A-Fa-f]", "", text)
        made = iter(self._row(digits))
        return "".join(next(made) if letter in "0123456789abcdefABCDEF" else letter for letter in text)

    def _row(self, digits: str) -> str:
        match len(digits):
            case 12:
                return self.bare_mac(digits)
            case 16 if digits[6:10].lower() in _IN_THE_MIDDLE:
                return self._spread(digits)
            case 28:  # a frame's head: to, from, type
                return self.bare_mac(digits[:12]) + self.bare_mac(digits[12:24]) + digits[24:]
        return self.digits(digits)

    def _spread(self, digits: str) -> str:
        self.met[Kind.MAC].add(str(int(digits[:6] + digits[10:], 16)))
        return _cased(f"{self._hardware.spread(int(digits, 16)):016x}", digits)

    def _socket(self, digits: str) -> str:
        made = self.packed(host_order(digits).to_bytes(len(digits) // 2, "big"))
        return "".join(made[at : at + 4][::-1].hex() for at in range(0, len(made), 4)).upper()

    def _hex(self, text: str) -> str:
        start = "0x" if text.startswith("0x") else ""
        return start + self._number(text.removeprefix("0x"))

    def _number(self, digits: str) -> str:
        value = int(digits, 16)
        match len(digits):
            case 8:
                return self._number_four(digits)
            case 12:
                return self.bare_mac(digits) if value in self._learned.macs else digits
            case 16:
                mac = value >> 40 << 24 | value & 0xFFFFFF
                return self._spread(digits) if mac in self._learned.macs else digits
            case 32 if value in self._learned.six:
                return f"{self._six(value, _SIX_BITS):032x}"
        return self.digits(digits)

    def _number_four(self, digits: str) -> str:
        data = bytes.fromhex(digits)
        if int.from_bytes(data, "big") in self._learned.four:
            return _cased(self.packed(data).hex(), digits)
        if int.from_bytes(data, "little") in self._learned.four:
            return _cased(self.packed(data[::-1])[::-1].hex(), digits)
        return digits


def _cased(made: str, like: str) -> str:
    # in capitals where the old one is
    return made.upper() if like.upper() == like and like.lower() != like else made
