r"""`ip -json addr show`: every address of every link; also the text forms, `ip addr` and `ip -o addr`.

    2: frta0@if2: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 1500 qdisc noqueue state UP group default qlen 1000
        link/ether 02:00:00:0a:00:01 brd ff:ff:ff:ff:ff:ff link-netns frt-a-far
        inet 10.9.0.1/24 scope global frta0

    2: frta0    inet 10.9.0.1/24 scope global frta0\       valid_lft forever preferred_lft forever

The long text form shows the links as well, as `ip link` does.

Form: iproute2's ip/ipaddress.c, print_addrinfo.
"""

import re
from collections.abc import Iterator
from itertools import pairwise

import msgspec

from fullrate.records.errors import FormatError
from fullrate.records.evidence import Request, query
from fullrate.records.facts.link import Address, Link
from fullrate.records.leaf import Source, always
from fullrate.records.parsing import whole
from fullrate.sources._ip_links import HEAD, link_fact, row_of
from fullrate.sources._json import decode, is_json
from fullrate.sources._text import asks_about, first_line, lines_of

_LINK = re.compile(r"\d+: ([^:@\s]+)(?:@[^:\s]+)?: <[^>]*> mtu \d+.*")
_ADDRESS = re.compile(
    r"(?:\d+: (?P<link>\S+))?\s+(?P<family>inet6?) (?P<local>[0-9a-f.:]+)(?: peer [0-9a-f.:]+)?/(?P<length>\d+)"
    r".* scope (?P<scope>\w+).*"
)


class _Entry(msgspec.Struct, frozen=True, kw_only=True):
    family: str
    local: str
    prefixlen: int
    scope: str


class _Row(msgspec.Struct, frozen=True, kw_only=True):
    ifname: str
    addr_info: tuple[_Entry, ...]


def _from_json(rows: list[_Row]) -> Iterator[Address]:
    for row in rows:
        for entry in row.addr_info:
            yield Address(
                subject=row.ifname,
                family=entry.family,
                address=entry.local,
                prefix_length=entry.prefixlen,
                scope=entry.scope,
            )


def _fact(match: re.Match[str], link: str) -> Address:
    return Address(
        subject=match["link"] or link,
        family=match["family"],
        address=match["local"],
        prefix_length=whole(match["length"]),
        scope=match["scope"],
    )


def _from_text(lines: tuple[str, ...]) -> Iterator[Address]:
    link = ""
    for line in lines:
        head, address = _LINK.fullmatch(line), _ADDRESS.fullmatch(line)
        if head:
            link = head[1]
        elif address and (link or address["link"]):
            yield _fact(address, link)
        elif not link or not line[0].isspace() or line.split()[0] in {"inet", "inet6"}:
            raise FormatError(f"{line!r} is not of ip addr")


def _links(lines: tuple[str, ...]) -> Iterator[Link]:
    """The links of the long form, whose head says in which state they are."""
    places = [place for place, line in enumerate(lines) if HEAD.fullmatch(line)]
    for place, end in pairwise([*places, len(lines)]):
        head = HEAD.fullmatch(lines[place])
        if head is not None:
            yield link_fact(row_of(head, lines[place + 1 : end]))


def parse(_: Request, payload: bytes) -> tuple[Address | Link, ...]:
    """Every address, none when no link has one, and the links of a text that shows them. Raises FormatError."""
    if is_json(payload):
        return tuple(_from_json(decode(payload, list[_Row], wanted="ip -json addr")))
    lines = lines_of(payload)
    if not lines:
        raise FormatError("nothing in the answer of ip addr; every host has lo")
    return (*_from_text(lines), *_links(lines))


def _recognizes(text: str) -> bool:
    if text.lstrip().startswith("["):
        return '"ifindex"' in text and '"addr_info"' in text
    first = first_line(text)
    short = _ADDRESS.fullmatch(first)
    if short:
        return short["link"] is not None
    return bool(_LINK.fullmatch(first)) and (" mode " not in first or bool(re.search(r"\n[ \t]+inet6? ", text)))


SOURCE = Source(
    id="ip_addr",
    facts=(Address, Link),
    requests=always(query("ip", "-json", "addr", "show")),
    answers=asks_about("ip", "addr"),
    recognizes=_recognizes,
    parse=parse,
)
