"""/proc/net/bonding/IFNAME: mode and hash policy of a bond, and how each member's link is.

    Ethernet Channel Bonding Driver: v6.1.0-57-amd64

    Bonding Mode: IEEE 802.3ad Dynamic link aggregation
    Transmit Hash Policy: layer3+4 (1)
    MII Status: up

    Slave Interface: eth1
    MII Status: up
    Speed: 10000 Mbps
    Duplex: full

Written by drivers/net/bonding/bond_procfs.c, the mode's words by bond_main.c, bond_mode_name.
"""

import re
from collections.abc import Iterator

from fullrate.records.errors import FormatError
from fullrate.records.evidence import QueryCommand, ReadFile, Request
from fullrate.records.facts.bonding import Bond
from fullrate.records.facts.ethtool import LinkMode
from fullrate.records.leaf import Source, no_requests, reads
from fullrate.records.parsing import whole
from fullrate.records.units import MEGABIT
from fullrate.sources._text import lines_of

_MODES = {
    "load balancing (round-robin)": "balance-rr",
    "fault-tolerance (active-backup)": "active-backup",
    "load balancing (xor)": "balance-xor",
    "fault-tolerance (broadcast)": "broadcast",
    "IEEE 802.3ad Dynamic link aggregation": "802.3ad",
    "transmit load balancing": "balance-tlb",
    "adaptive load balancing": "balance-alb",
}
_OURS = re.compile(r"^[ \t]*(Ethernet Channel Bonding Driver: |Bonding Mode: |Slave Interface: )", re.MULTILINE)
_SPEED = re.compile(r"(\d+) Mbps")


def _fields(lines: tuple[str, ...]) -> tuple[dict[str, str], list[dict[str, str]]]:
    """The bond's own lines, and those of each member; of repeated names the first."""
    bond, members = dict[str, str](), list[dict[str, str]]()
    for line in lines:
        name, _, value = (part.strip() for part in line.partition(":"))
        if name == "Slave Interface":
            members.append({})
        (members[-1] if members else bond).setdefault(name, value)
    return bond, members


def _member(fields: dict[str, str]) -> LinkMode:
    speed, duplex = _SPEED.fullmatch(fields.get("Speed", "")), fields.get("Duplex", "Unknown")
    return LinkMode(
        subject=fields["Slave Interface"],
        speed=float(whole(speed[1]) * MEGABIT) if speed else None,
        duplex=None if duplex == "Unknown" else duplex.capitalize(),
        link_detected=fields["MII Status"] == "up" if "MII Status" in fields else None,
    )


def _name(request: Request) -> str:
    path = request.path if isinstance(request, ReadFile) else ""
    path = request.argv[-1] if isinstance(request, QueryCommand) else path
    return path.rpartition("/")[2] if "/bonding/" in path else ""


def _facts(request: Request, lines: tuple[str, ...]) -> Iterator[Bond | LinkMode]:
    bond, members = _fields(lines)
    mode = bond.get("Bonding Mode", "").partition(" (fail_over_mac")[0]
    if mode:
        policy = bond.get("Transmit Hash Policy", "").partition(" ")[0]
        yield Bond(subject=_name(request), mode=_MODES.get(mode, mode), hash_policy=policy or None)
    for member in members:
        yield _member(member)


def parse(request: Request, payload: bytes) -> tuple[Bond | LinkMode, ...]:
    """The bond and its members. Raises FormatError."""
    facts = tuple(_facts(request, lines_of(payload)))
    if not facts:
        raise FormatError("neither a mode nor a member of a bond")
    return facts


SOURCE = Source(
    id="proc_bonding",
    facts=(Bond, LinkMode),
    requests=no_requests,
    pasted=lambda link: ReadFile(path=f"/proc/net/bonding/{link}"),
    answers=reads("/proc/net/bonding/*"),
    recognizes=lambda text: _OURS.search(text) is not None,
    parse=parse,
)
