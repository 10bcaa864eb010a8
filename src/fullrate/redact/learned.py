"""What a bundle names: read once from end to end, so that each identifier is known wherever else it stands."""

import ipaddress
import re
from dataclasses import dataclass, field
from itertools import filterfalse

from fullrate.redact.common import COMMON, NOTHING, SYSTEM_USERS
from fullrate.redact.hardware import NOBODY
from fullrate.redact.patterns import (
    ADDRESS6,
    LABELS,
    LENGTH,
    MASK,
    ROUTE4,
    ROW6,
    TOKENS,
    VERSION_BEFORE,
    VERSION_BEHIND,
)

_SHORTEST_NAME, _SHORTEST_SERIAL, _SHORTEST_NUMBER = 3, 6, 9
_MAC_BYTES, _EUI_BYTES = 6, 8
_HEX = re.compile("[0-9A-Fa-f]+")


@dataclass(slots=True)
class Learned:
    """Every identifier of a bundle, gathered by `look`."""

    four: set[int] = field(default_factory=set)
    six: set[int] = field(default_factory=set)
    networks4: set[tuple[int, int]] = field(default_factory=set)
    networks6: set[tuple[int, int]] = field(default_factory=set)
    macs: set[int] = field(default_factory=set)
    hosts: set[str] = field(default_factory=set)
    domains: set[str] = field(default_factory=set)
    users: set[str] = field(default_factory=set)
    serials: set[str] = field(default_factory=set)
    ssids: set[str] = field(default_factory=set)
    _plain: set[str] = field(default_factory=set)  # the words of tables that name nothing, their counters left out

    def look(self, text: str, *, sampled: bool = False) -> None:
        """Gather what one text names; `sampled`: it is read again and again, and mostly counts."""
        words = words_of(text) if sampled else None
        if words not in self._plain and not self._look(text) and words is not None:
            self._plain.add(words)

    def _look(self, text: str) -> bool:
        tokens = [found for found in TOKENS.finditer(text) if _says_something(found)]
        for found in tokens:
            match found.lastgroup:
                case "four":
                    self._four(text, found)
                case "six":
                    self._six(text, found)
                case "pairs" | "dotted" | "named":
                    self.macs |= macs_in(found[0]) - NOBODY
                case "socket" | "match":
                    self._packed(found[0], text_order=found.lastgroup == "match")
        self._masks(text)
        self._rows(text)
        return self._labels(text) or bool(tokens)

    def add_packed(self, data: bytes) -> None:
        """An address in its 4 or 16 bytes."""
        (self.four if len(data) == 4 else self.six).add(int.from_bytes(data, "big"))  # noqa: PLR2004 - bytes of IPv4

    def add_host(self, name: str) -> None:
        """A host's name, with or without its domain."""
        if is_address(name):
            return
        first, _, domain = name.partition(".")
        self.hosts.add(first.lower())
        if domain:
            self.domains.add(domain.lower())

    def add_user(self, name: str) -> None:
        """A person's account; those that systems come with are nobody's."""
        if not is_nobody(name):
            self.users.add(name)

    def _labels(self, text: str) -> bool:
        low = text.lower()
        found = [one for label in LABELS if label.hint in low for one in label.pattern.finditer(text)]
        for one in found:
            self._labelled(one)
        return bool(found)

    def _labelled(self, found: re.Match[str]) -> None:
        for kind, value in found.groupdict().items():
            match kind:
                case "host":
                    self.add_host(value)
                case "user":
                    self.add_user(value)
                case "serial" if is_serial(value):
                    self.serials.add(value)
                case "ssid":
                    self.ssids.add(value)

    def _four(self, text: str, found: re.Match[str]) -> None:
        if is_version(text, found):
            return
        value = int(ipaddress.IPv4Address(found[0]))
        self.four.add(value)
        length = prefix_length(text, found.end(), 32)
        self.networks4.add((value >> 32 - length << 32 - length, length))

    def _six(self, text: str, found: re.Match[str]) -> None:
        _, told, end = around_six(found[0])
        address = as_six(told)
        if address is None:
            return
        self.six.add(int(address))
        length = 128 if end else prefix_length(text, found.end(), 128)
        self.networks6.add((int(address) >> 128 - length << 128 - length, length))

    def _packed(self, digits: str, *, text_order: bool) -> None:
        value = int(digits, 16) if text_order else host_order(digits)
        (self.six if len(digits) > 8 else self.four).add(value)  # noqa: PLR2004 - digits of an IPv4 address

    def _rows(self, text: str) -> None:
        for row in ROUTE4.finditer(text):
            to, via, mask = (host_order(row[column]) for column in ("to", "via", "mask"))
            self.four |= {to, via}
            self.networks4.add((to, mask.bit_count()))
        for one in ADDRESS6.finditer(text) if ROW6.search(text) else ():
            self.six.add(int(one["address"], 16))
            if one["length"]:
                self.networks6.add((int(one["address"], 16), int(one["length"], 16)))

    def _masks(self, text: str) -> None:
        # `inet 192.0.2.1 netmask 255.255.254.0`, and the columns of `route -n`
        if "255." not in text:
            return
        for line in text.splitlines():
            masks = [int(ipaddress.IPv4Address(one)) for one in MASK.findall(line)]
            lengths = {one.bit_count() for one in masks}
            for found in TOKENS.finditer(line) if lengths else ():
                if found.lastgroup == "four":
                    value = int(ipaddress.IPv4Address(found[0]))
                    self.networks4 |= {(value >> 32 - one << 32 - one, one) for one in lengths if one}


def _says_something(found: re.Match[str]) -> bool:
    # A number is an address only when a text tells it as one; a place on a bus has an IPv6 address's letters.
    if found.lastgroup == "six":
        return as_six(around_six(found[0])[1]) is not None
    return found.lastgroup not in {"hex", "dashed"}


def words_of(table: str) -> str:
    """A table of counters without them: what is the same in its next reading."""
    return " ".join(filterfalse(str.isdecimal, table.split()))


def is_version(text: str, found: re.Match[str]) -> bool:
    """Whether four numbers are a version, by the word before them or the letters behind."""
    before = text[max(0, found.start() - 24) : found.start()]
    return VERSION_BEFORE.search(before) is not None or VERSION_BEHIND.match(text, found.end()) is not None


def prefix_length(text: str, end: int, longest: int) -> int:
    """The prefix length, or the netmask, that stands behind an address; without one, that of the address alone."""
    found = LENGTH.match(text, end)
    if found is None:
        return longest
    told = found["length"]
    length = int(ipaddress.IPv4Address(told)).bit_count() if "." in told else int(told)
    return min(length, longest)


def as_six(text: str) -> ipaddress.IPv6Address | None:
    """The IPv6 address; None: it is none, though it has its letters."""
    try:
        return ipaddress.IPv6Address(text)
    except ValueError:
        return None


def around_six(text: str, *, with_port: bool = False) -> tuple[str, str, str]:
    """What stands before an IPv6 address, the address, and what stands behind: a colon, or a port `with_port`."""
    start = ":" if text.startswith(":") and not text.startswith("::") else ""
    rest = text.removeprefix(start)
    address, colon, port = rest.rpartition(":")
    splits = port.isdigit() and (with_port or as_six(rest) is None)
    if (splits or not port) and as_six(address) is not None:
        return start, address, colon + port
    return start, rest, ""


def host_order(digits: str) -> int:
    """An address as /proc/net/tcp prints it: 32-bit words, each with its bytes turned round."""
    words = (digits[at : at + 8] for at in range(0, len(digits), 8))
    return int.from_bytes(b"".join(bytes.fromhex(word)[::-1] for word in words), "big")


def macs_in(text: str) -> set[int]:
    """The MAC addresses of a row of bytes: one, one with two bytes more in its middle, or a frame's two."""
    data = bytes.fromhex("".join(_HEX.findall(text.removeprefix(text[:3]) if text[2:3] == "x" else text)))
    if len(data) == _EUI_BYTES:
        return {int.from_bytes(data[:3] + data[5:], "big")}
    if len(data) == 2 * _MAC_BYTES + 2:
        return {int.from_bytes(data[:6], "big"), int.from_bytes(data[6:12], "big")}
    return {int.from_bytes(data, "big")} if len(data) == _MAC_BYTES else set()


def is_address(text: str) -> bool:
    """Whether a host is named by its address."""
    try:
        ipaddress.ip_address(text.strip("[]"))
    except ValueError:
        return False
    return True


def is_nobody(user: str) -> bool:
    """Whether an account is one that systems come with, or a number."""
    return user.lower() in SYSTEM_USERS or user.isdigit()


def is_hardware(text: str) -> bool:
    """Whether a value is a MAC address, with two more bytes or without."""
    return re.fullmatch("(?:[0-9A-Fa-f]{2}[:-]?){5}(?:(?:[0-9A-Fa-f]{2}[:-]?){2})?[0-9A-Fa-f]{2}", text) is not None


def is_serial(text: str) -> bool:
    """Whether a value tells a device apart: four letters or more, a digit among them, no word for nothing."""
    return len(text) >= 4 and text.lower() not in NOTHING and any(letter.isdigit() for letter in text)  # noqa: PLR2004


def stands_anywhere(name: str) -> bool:
    """Whether a name is rare enough to be replaced wherever it stands as a word."""
    shortest = _SHORTEST_NUMBER if name.isdigit() else _SHORTEST_NAME
    return len(name) >= shortest and name.lower() not in COMMON
