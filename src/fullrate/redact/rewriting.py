"""Texts with other identifiers in them, the same for the same wherever they stand."""

import ipaddress
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from enum import StrEnum

from fullrate.redact.addresses import Addresses, Places
from fullrate.redact.draws import Draws
from fullrate.redact.hardware import Hardware
from fullrate.redact.learned import (
    Learned,
    as_six,
    host_order,
    is_address,
    is_nobody,
    is_serial,
    is_version,
    macs_in,
    prefix_length,
    stands_anywhere,
)
from fullrate.redact.patterns import LABELS, TOKENS, VERSION_BEFORE

# Rows of hexadecimal numbers that are no addresses, though one may look like it: counters, sets of CPUs.
_NO_ADDRESSES = re.compile(r"softnet_stat|/net/stat/|affinity|cpus|/queues|/proc/(?:interrupts|stat|softirqs)\b")
_PLAIN_LETTERS = str.maketrans("", "", "0123456789 \t\n")
_WRITTEN_WITH_PORT = ("run ss ", "run netstat ")  # `2001:db8::1:5201`
_REPLACED = re.compile(r"(?:(?:host|user|net)-[a-z2-9]{6}(?:\.|$))+(?:example)?")  # by us, in a walk before
# Where the makers of systems and tools are found: it says which system, as much else does, and nothing of its host.
_PUBLIC = re.compile(
    r"localhost|this|(?:(?:www|bugs|bugzilla|lists|lore|docs|wiki|support|help|security|git)\.)?(?:(?:debian|kernel|fedoraproject|centos|"
    r"almalinux|rockylinux|archlinux|opensuse|gentoo|alpinelinux|openwrt|gnu|freedesktop|netfilter|nftables|busybox)\.org|"
    r"(?:ubuntu|proxmox|raspbian|raspberrypi|truenas|github)\.com|launchpad\.net|iperf\.fr|es\.net)",
    re.IGNORECASE,
)


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


@dataclass(slots=True)
class Rewriter:
    """Replaces what `learned` holds, and what is known by its form; counts the different ones it met."""

    learned: Learned
    draws: Draws
    met: dict[Kind, set[str]] = field(default_factory=lambda: {kind: set() for kind in Kind})
    _hardware: Hardware = field(init=False)
    _addresses: Addresses = field(init=False)
    _names: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], str]], ...] = field(init=False)
    _plain: set[tuple[str, str]] = field(default_factory=set)

    def __post_init__(self) -> None:
        """Make the tables of everything that was learned."""
        known = self.learned
        self._hardware = Hardware(self.draws, frozenset(known.macs))
        places4 = Places(4, self.draws, frozenset(known.four), known.networks4)
        places6 = Places(6, self.draws, frozenset(known.six), known.networks6)
        self._addresses = Addresses(places4, places6, self._hardware, self.draws)
        self._names = tuple(self._name_patterns())

    def text(self, text: str, key: str = "") -> str:
        """The text as it may be shown; `key` is the request that it answers."""
        letters = (key, text.translate(_PLAIN_LETTERS))
        if letters in self._plain:
            return text
        made = TOKENS.sub(lambda found: self._token(found, key), self._labelled(text))
        for pattern, replaced in self._names:
            made = pattern.sub(replaced, made)
        if made == text:  # a table of counters: the next reading differs in its numbers alone
            self._plain.add(letters)
        return made

    def packed(self, data: bytes) -> bytes:
        """An address in its 4 or 16 bytes."""
        value = int.from_bytes(data, "big")
        made = self._four(value, 32) if len(data) == 4 else self._six(value, 128)  # noqa: PLR2004 - bytes of IPv4
        return made.to_bytes(len(data), "big")

    def host(self, name: str) -> str:
        """A host's name, label by label: a host is the same with its domain and without."""
        if is_address(name) or _PUBLIC.fullmatch(name) or _REPLACED.fullmatch(name):
            return name
        first, dot, domain = name.partition(".")
        return self._once(Kind.HOST, first.lower(), "host") + dot + (self._domain(domain) if domain else "")

    def user(self, name: str) -> str:
        """An account's name."""
        return name if is_nobody(name) or _REPLACED.fullmatch(name) else self._once(Kind.USER, name, "user")

    def _domain(self, name: str) -> str:
        return f"{self.draws.token('net', name.lower())}.example"

    def _once(self, kind: Kind, name: str, word: str) -> str:
        self.met[kind].add(name)
        return self.draws.token(word, name)

    def _name_patterns(self) -> Iterable[tuple[re.Pattern[str], Callable[[re.Match[str]], str]]]:
        known = self.learned
        words = (
            (known.domains, lambda found: self._domain(found[0])),
            (known.hosts, lambda found: self.host(found[0].replace("\\x2d", "-"))),
            (known.users, lambda found: self.user(found[0])),
            (known.serials, lambda found: self._serial(found[0])),
            (known.texts, lambda found: self._once(Kind.SSID, found[0], "ssid")),
        )
        for names, replaced in words:
            some = sorted(filter(stands_anywhere, names), key=len, reverse=True)
            if some:
                spelled = "|".join(re.escape(one).replace(r"\-", r"(?:-|\\x2d)") for one in some)
                flags = re.IGNORECASE if names in (known.domains, known.hosts) else re.NOFLAG
                yield re.compile(rf"(?<![A-Za-z0-9])(?:{spelled})(?![A-Za-z0-9])", flags), replaced
        if known.macs:
            bare = "|".join(f"{one:012x}" for one in sorted(known.macs) if one)
            yield re.compile(bare or "(?!)", re.IGNORECASE), lambda found: self._hex_mac(found[0])

    def _labelled(self, text: str) -> str:
        low = text.lower()
        for label in LABELS:
            if label.hint in low:
                text = label.pattern.sub(self._value, text)
        return text

    def _value(self, found: re.Match[str]) -> str:
        made, at = [], found.start()
        for kind, value in found.groupdict().items():
            made += [found.string[at : found.start(kind)], self._by_label(kind, value)]
            at = found.end(kind)
        return "".join([*made, found.string[at : found.end()]])

    def _by_label(self, kind: str, value: str) -> str:
        match kind:
            case "host" | "built":
                return self.host(value)
            case "user" | "maker":
                return self.user(value)
            case "serial":
                return self._serial(value)
            case "ssid":
                return self._once(Kind.SSID, value, "ssid")
            case "dump":
                return re.sub(r"[0-9A-Fa-f]{2}", "00", value[: re.match(r"(?:[0-9A-Fa-f]{2} {0,2})+", value).end()])  # type: ignore[union-attr]
        return self._once(Kind.TEXT, value, "text")

    def _token(self, found: re.Match[str], key: str) -> str:
        text = found[0]
        match found.lastgroup:
            case "four":
                return self._text_four(found)
            case "six":
                return self._text_six(found, key)
            case "pairs" | "dotted":
                return self._pairs(text)
            case "named":
                return text[:3] + self._hex_mac(text[3:])
            case "hex":
                return text if _NO_ADDRESSES.search(key) else self._hex(text)
            case "socket":
                return self._socket(text)
            case "match":
                return f"{self._four(int(text, 16), 32):08x}"
            case "dns":
                return self.host(text)
            case "mail":
                user, _, host = text.partition("@")
                return f"{self.user(user)}@{self.host(host)}"
        self.met[Kind.ID].add(text)
        return self.draws.shaped(text) if found.lastgroup == "key" else self._hex_digits(text)

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

    def _text_four(self, found: re.Match[str]) -> str:
        value = int(ipaddress.IPv4Address(found[0]))
        if value not in self.learned.four and is_version(found.string, found):
            return found[0]
        length = prefix_length(found.string, found.end())
        return str(ipaddress.IPv4Address(self._four(value, 32 if length is None or length > 32 else length)))  # noqa: PLR2004

    def _text_six(self, found: re.Match[str], key: str) -> str:
        text, behind = found[0], found.string[found.end() : found.end() + 1]
        before, _, port = text.rpartition(":")
        with_port = port.isdigit() and (as_six(text) is None or (key.startswith(_WRITTEN_WITH_PORT) and behind != "]"))
        if (with_port or not port) and as_six(before) is not None:
            return f"{self._spelled(before, 128)}:{port}"
        length = prefix_length(found.string, found.end())
        return self._spelled(text, 128 if length is None or length > 128 else length)  # noqa: PLR2004

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

    def _hex_mac(self, digits: str) -> str:
        made = f"{self._mac(int(digits, 16)):012x}"
        return made.upper() if digits.upper() == digits and digits.lower() != digits else made

    def _pairs(self, text: str) -> str:
        # aa:bb:cc:dd:ee:ff, aa-bb-..., aabb.ccdd.eeff; longer rows are a frame's head, an EUI-64, a key
        digits = re.sub("[^0-9A-Fa-f]", "", text)
        made = iter(self._row(digits))
        return "".join(next(made) if letter in "0123456789abcdefABCDEF" else letter for letter in text)

    def _row(self, digits: str) -> str:
        match len(digits):
            case 12:
                return self._hex_mac(digits)
            case 16 if digits[6:10].lower() in {"fffe", "ffff"}:
                return self._hex_spread(digits)
            case 28:
                return self._hex_mac(digits[:12]) + self._hex_mac(digits[12:24]) + digits[24:]
        self.met[Kind.ID].add(digits)
        return self.draws.hexadecimal(digits)

    def _hex_spread(self, digits: str) -> str:
        self.met[Kind.MAC].add(str(int(digits[:6] + digits[10:], 16)))
        made = f"{self._hardware.spread(int(digits, 16)):016x}"
        return made.upper() if digits.upper() == digits and digits.lower() != digits else made

    def _socket(self, digits: str) -> str:
        made = self.packed(host_order(digits).to_bytes(len(digits) // 2, "big"))
        return "".join(made[at : at + 4][::-1].hex() for at in range(0, len(made), 4)).upper()

    def _hex(self, text: str) -> str:
        start = "0x" if text.startswith("0x") else ""
        digits = text.removeprefix("0x")
        value = int(digits, 16)
        match len(digits):
            case 8:
                return start + self._hex_four(digits)
            case 12:
                return start + (self._hex_mac(digits) if value in self.learned.macs else digits)
            case 16:
                own = value >> 40 << 24 | value & 0xFFFFFF
                return start + (self._hex_spread(digits) if own in self.learned.macs else digits)
            case 32 if value in self.learned.six:
                return f"{start}{self._six(value, 128):032x}"
        self.met[Kind.ID].add(digits)
        return start + self.draws.hexadecimal(digits)

    def _hex_four(self, digits: str) -> str:
        data = bytes.fromhex(digits)
        for turned in (False, True):
            one = data[::-1] if turned else data
            if int.from_bytes(one, "big") in self.learned.four:
                made = self.packed(one)
                text = (made[::-1] if turned else made).hex()
                return text.upper() if digits.upper() == digits and digits.lower() != digits else text
        return digits

    def _hex_digits(self, text: str) -> str:
        return re.sub("[0-9A-Fa-f]{2,}|[0-9A-Fa-f](?=[.])", lambda found: self.draws.hexadecimal(found[0]), text)

    def _serial(self, text: str) -> str:
        macs = macs_in(text) if re.fullmatch("[0-9A-Fa-f:-]+", text) and len(re.sub("[:-]", "", text)) in {12, 16} else set()
        if macs or is_address(text) or not is_serial(text) or VERSION_BEFORE.search(text):
            return text
        self.met[Kind.SERIAL].add(text)
        return self.draws.shaped(text)
