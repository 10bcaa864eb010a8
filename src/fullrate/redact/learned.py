"""What a bundle names: read once from end to end, so that each identifier is known wherever else it stands."""

import ipaddress
import re
from dataclasses import dataclass, field

from fullrate.redact.hardware import NOBODY
from fullrate.redact.patterns import LABELS, LENGTH, MASK, TOKENS, VERSION_BEFORE, VERSION_BEHIND

# Names that half of all hosts have tell nobody apart, and are words of programs, too: replaced where they stand as a
# name, not wherever the word stands.
COMMON = frozenset(
    """
    a an and at b c client clients core cpu default desktop device dev disk dns docker end eth eth0 example far
    file firewall gateway gw guest home host hosts http info init internet ip iperf iperf3 kernel lab lan laptop linux
    local localdomain localhost log mail master me memory my name near net netns network nic node ns null off on one
    path pc ping port proxy queue read receiver root route router rx script sender serial server servers session ssh
    storage sys system target task tcp test text the this time timer tx type udp unknown up user users value version
    virtual vm vpn vps web wire wlan worker workstation write www
    alma alpine arch archlinux arm arm64 armbian centos debian fedora gentoo kali manjaro mint nixos openwrt opensuse
    pi proxmox pve raspberry raspberrypi raspbian redhat rhel rocky suse truenas ubuntu x86
    ac amd aws azure bond bond0 br0 br bridge broadcom broadcast cisco dell gcp google intel lo mellanox nvidia realtek
    veth virtio vlan xen qemu kvm hyperv vmware ethernet driver firmware module link speed duplex address group state
    """.split()
)
# Accounts that systems come with.
SYSTEM_USERS = frozenset(
    """
    adm admin administrator arch backup bin bitnami builder buildd centos cloud-user core daemon debian ec2-user fedora
    ftp games guest kali lp lxd mail mockbuild mysql news nobody ntp opc operator pi postgres proxy root rocky runner
    sshd sync sys systemd systemd-network test ubuntu user vagrant www-data
    """.split()
)
_NOTHING = frozenset(
    "none unknown default specified not na n/a null empty system chassis redacted filled serial number".split()
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
    texts: set[str] = field(default_factory=set)

    def look(self, text: str) -> None:
        """Gather what one text names."""
        for found in TOKENS.finditer(text):
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
        self._labels(text)

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

    def _labels(self, text: str) -> None:
        low = text.lower()
        for label in LABELS:
            if label.hint in low:
                for found in label.pattern.finditer(text):
                    self._labelled(found)

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
                    self.texts.add(value)

    def _four(self, text: str, found: re.Match[str]) -> None:
        if is_version(text, found):
            return
        value = int(ipaddress.IPv4Address(found[0]))
        self.four.add(value)
        length = prefix_length(text, found.end())
        if length is not None and length <= 32:  # noqa: PLR2004 - IPv4
            self.networks4.add((value >> 32 - length << 32 - length, length))

    def _six(self, text: str, found: re.Match[str]) -> None:
        address = as_six(found[0])
        if address is None:
            return
        self.six.add(int(address))
        length = prefix_length(text, found.end())
        if length is not None and length <= 128:  # noqa: PLR2004 - IPv6
            self.networks6.add((int(address) >> 128 - length << 128 - length, length))

    def _packed(self, digits: str, *, text_order: bool) -> None:
        value = int(digits, 16) if text_order else host_order(digits)
        (self.six if len(digits) > 8 else self.four).add(value)  # noqa: PLR2004 - digits of an IPv4 address

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


def is_version(text: str, found: re.Match[str]) -> bool:
    """Whether four numbers are a version, by the word before them or the letters behind."""
    before = text[max(0, found.start() - 24) : found.start()]
    return VERSION_BEFORE.search(before) is not None or VERSION_BEHIND.match(text, found.end()) is not None


def prefix_length(text: str, end: int) -> int | None:
    """The prefix length, or the netmask, that stands behind an address."""
    found = LENGTH.match(text, end)
    if found is None:
        return None
    told = found["length"]
    return int(ipaddress.IPv4Address(told)).bit_count() if "." in told else int(told)


def as_six(text: str) -> ipaddress.IPv6Address | None:
    """The IPv6 address; None: it is none, though it has its letters."""
    try:
        return ipaddress.IPv6Address(text)
    except ValueError:
        return None


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


def is_serial(text: str) -> bool:
    """Whether a value tells a device apart: four letters or more, a digit among them, no word for nothing."""
    return len(text) >= 4 and text.lower() not in _NOTHING and any(letter.isdigit() for letter in text)  # noqa: PLR2004


def stands_anywhere(name: str) -> bool:
    """Whether a name is rare enough to be replaced wherever it stands as a word."""
    shortest = _SHORTEST_NUMBER if name.isdigit() else _SHORTEST_NAME
    return len(name) >= shortest and name.lower() not in COMMON
