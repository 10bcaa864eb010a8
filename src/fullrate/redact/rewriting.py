"""Texts with other identifiers in them, the same for the same wherever they stand."""

import re
from collections.abc import Callable, Iterable

from fullrate.redact.draws import Draws
from fullrate.redact.forms import Forms, Kind
from fullrate.redact.learned import Learned, is_address, is_hardware, is_nobody, is_serial, stands_anywhere, words_of
from fullrate.redact.patterns import LABELS, TOKENS

_REPLACED = re.compile(r"(?:(?:host|user|net)-[a-z2-9]{6}(?:\.|$))+(?:example)?")  # by us, in a step before
# Where the makers of systems and tools are found: it says which system, as much else does, and nothing of its host.
_PUBLIC = re.compile(
    r"localhost|this|(?:(?:www|bugs|bugzilla|lists|lore|docs|wiki|support|help|security|git)\.)?(?:(?:debian|kernel|fedoraproject|centos|"
    r"almalinux|rockylinux|archlinux|opensuse|gentoo|alpinelinux|openwrt|gnu|freedesktop|netfilter|nftables|busybox)\.org|"
    r"(?:ubuntu|proxmox|raspbian|raspberrypi|truenas|github)\.com|launchpad\.net|iperf\.fr|es\.net)",
    re.IGNORECASE,
)

_DUMPED = re.compile(r"(?<!\S)[0-9A-Fa-f]{2}(?!\S)")

_Replacing = Callable[[re.Match[str]], str]


class Rewriter:
    """Replaces what was learned, and what is known by its form or by what stands before it."""

    def __init__(self, learned: Learned, draws: Draws) -> None:
        """Make the tables of everything that was learned."""
        self.forms = Forms(learned, draws)
        self._learned, self._draws = learned, draws
        self._names = tuple(self._name_patterns())
        self._plain: set[tuple[str, str]] = set()

    def text(self, text: str, key: str = "", *, sampled: bool = False) -> str:
        """The text as it may be shown; `key` is the request it answers, `sampled` as in `Learned.look`."""
        words = (key, words_of(text)) if sampled else None
        if words in self._plain:
            return text
        made = TOKENS.sub(lambda found: self._token(found, key), self._labelled(text))
        for pattern, replaced in self._names:
            made = pattern.sub(replaced, made)
        if words is not None and made == text:
            self._plain.add(words)
        return made

    def host(self, name: str) -> str:
        """A host's name, label by label: a host is the same with its domain and without."""
        if is_address(name) or _PUBLIC.fullmatch(name) or _REPLACED.fullmatch(name):
            return name
        if name.lower() in self._learned.domains:
            return self._domain(name)
        first, dot, domain = name.partition(".")
        return self._once(Kind.HOST, first.lower(), "host") + dot + (self._domain(domain) if domain else "")

    def user(self, name: str) -> str:
        """An account's name."""
        return name if is_nobody(name) or _REPLACED.fullmatch(name) else self._once(Kind.USER, name.lower(), "user")

    def _domain(self, name: str) -> str:
        return name if _REPLACED.fullmatch(name) else f"{self._draws.token('net', name.lower())}.example"

    def _once(self, kind: Kind, name: str, word: str) -> str:
        self.forms.met[kind].add(name)
        return self._draws.token(word, name)

    def _name_patterns(self) -> Iterable[tuple[re.Pattern[str], _Replacing]]:
        known = self._learned
        words: tuple[tuple[Iterable[str], _Replacing], ...] = (
            ((one for one in known.domains if "." in one), lambda found: self._domain(found[0])),
            (known.hosts, lambda found: self.host(found[0].replace("\\x2d", "-"))),
            (known.users, lambda found: self.user(found[0])),
            (known.serials, lambda found: self._serial(found[0])),
            (known.ssids, lambda found: self._once(Kind.SSID, found[0], "ssid")),
        )
        for names, replaced in words:
            some = sorted(filter(stands_anywhere, names), key=len, reverse=True)
            if some:
                spelled = "|".join(re.escape(one).replace(r"\-", r"(?:-|\\x2d)") for one in some)
                yield re.compile(rf"(?<![A-Za-z0-9])(?i:{spelled})(?![A-Za-z0-9])"), replaced
        if known.macs:
            bare = "|".join(f"{one:012x}" for one in sorted(known.macs) if one)
            yield re.compile(bare or "(?!)", re.IGNORECASE), lambda found: self.forms.bare_mac(found[0])

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
            case "dump":  # of a module's or a device's memory: its serial number stands there, too
                return " ".join("00" for _ in _DUMPED.findall(value.split("|", maxsplit=1)[0]))
        return self._once(Kind.TEXT, value, "text")

    def _token(self, found: re.Match[str], key: str) -> str:
        match found.lastgroup:
            case "dns":
                return self.host(found[0])
            case "mail":
                user, _, host = found[0].partition("@")
                return f"{self.user(user)}@{self.host(host)}"
        return self.forms.form(found, key)

    def _serial(self, text: str) -> str:
        if not is_serial(text) or is_hardware(text) or is_address(text):
            return text
        self.forms.met[Kind.SERIAL].add(text)
        return self._draws.shaped(text)
