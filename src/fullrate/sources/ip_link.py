"""`ip -json -details -statistics link show`: every link of the host; also the text form, `ip -d -s link`.

    16: vl10@eth3: <BROADCAST,MULTICAST,M-DOWN> mtu 1500 qdisc noqueue state DOWN mode DEFAULT group default qlen 1000
        link/ether 02:00:00:1a:b0:00 brd ff:ff:ff:ff:ff:ff promiscuity 0  allmulti 0 minmtu 0 maxmtu 65535
        vlan protocol 802.1Q id 10 <REORDER_HDR> addrgenmode eui64 numtxqueues 1 numrxqueues 1 gso_max_size 65536

Form: iproute2's ip/ipaddress.c, print_linkinfo. `@` and JSON's "link" name the link below (IFLA_LINK), `@if13` one in
another namespace. For a veth it is the peer, which is beside, not below: no `lower`.
"""

import re

import msgspec

from fullrate.records.errors import FormatError
from fullrate.records.evidence import Request, query
from fullrate.records.facts.base import Fact
from fullrate.records.facts.bonding import Bond
from fullrate.records.facts.link import Link, LinkCounters
from fullrate.records.facts.queues import ReceiveDrops
from fullrate.records.leaf import Source, always
from fullrate.records.parsing import whole
from fullrate.sources._bonds import bonds
from fullrate.sources._ip_statistics import count_after_name, counters, word_after_name
from fullrate.sources._json import decode, is_json
from fullrate.sources._text import asks_about, first_line, lines_of

_WANTED = "ip -json link"
_HEAD = re.compile(
    r"(?P<index>\d+): (?P<name>[^:@\s]+)(?:@(?P<lower>[^:\s]+))?: <[^>]*> mtu (?P<mtu>\d+)(?P<rest>.* state .*)"
)
_ELSEWHERE = re.compile(r"if\d+|NONE")
_ADDRESS = re.compile(r"\n[ \t]+inet6? ")


class _Info(msgspec.Struct, frozen=True):
    info_kind: str | None = None


class _Row(msgspec.Struct, frozen=True, kw_only=True):
    ifindex: int
    ifname: str
    mtu: int
    operstate: str
    address: str | None = None
    link: str | None = None
    master: str | None = None
    linkinfo: _Info = _Info()
    parentdev: str | None = None
    num_tx_queues: int | None = None
    num_rx_queues: int | None = None
    gso_max_size: int | None = None
    gro_max_size: int | None = None
    xdp: object = None
    qdisc: str | None = None


def _fact(row: _Row) -> Link:
    kind = row.linkinfo.info_kind
    return Link(
        subject=row.ifname,
        ifindex=row.ifindex,
        mtu=row.mtu,
        operstate=row.operstate,
        mac=row.address,
        kind=kind,
        lower=None if kind == "veth" else row.link,
        master=row.master,
        parent_device=row.parentdev,
        tx_queues=row.num_tx_queues,
        rx_queues=row.num_rx_queues,
        gso_max_size=row.gso_max_size,
        gro_max_size=row.gro_max_size,
        xdp=row.xdp is not None,
        qdisc=row.qdisc,
    )


def _kind(lines: tuple[str, ...]) -> str | None:
    """The first word below the address line, which `addrgenmode` ends when the link has no kind."""
    if len(lines) < 2 or "promiscuity" not in lines[0] or "addrgenmode" in lines[0]:  # noqa: PLR2004 - two lines
        return None
    word = lines[1].split()[0]
    return None if word.endswith("_slave") else word


def _row(head: re.Match[str], lines: tuple[str, ...]) -> _Row:
    details = "\n".join(lines)
    lower = head["lower"]
    return _Row(
        ifindex=whole(head["index"]),
        ifname=head["name"],
        mtu=whole(head["mtu"]),
        operstate=word_after_name(head["rest"], "state") or "",
        address=word_after_name(details, r"link/\S+"),
        link=None if lower is None or _ELSEWHERE.fullmatch(lower) else lower,
        master=word_after_name(head["rest"], "master"),
        linkinfo=_Info(_kind(lines)),
        parentdev=word_after_name(details, "parentdev"),
        num_tx_queues=count_after_name(details, "numtxqueues"),
        num_rx_queues=count_after_name(details, "numrxqueues"),
        gso_max_size=count_after_name(details, "gso_max_size"),
        gro_max_size=count_after_name(details, "gro_max_size"),
        xdp=True if re.search(r" xdp", head["rest"]) else None,
        qdisc=word_after_name(head["rest"], "qdisc"),
    )


def _rows(lines: tuple[str, ...]) -> list[_Row]:
    heads = [(place, match) for place, line in enumerate(lines) if (match := _HEAD.fullmatch(line))]
    starts = [place for place, _ in heads]
    if starts[:1] != [0] or not all(line[0].isspace() for place, line in enumerate(lines) if place not in starts):
        raise FormatError("not the text of ip link")
    ends = [*starts[1:], len(lines)]
    return [_row(match, lines[place + 1 : end]) for (place, match), end in zip(heads, ends, strict=True)]


def parse(_: Request, payload: bytes) -> tuple[Link, ...]:
    """Every link. Raises FormatError."""
    rows = decode(payload, list[_Row], wanted=_WANTED) if is_json(payload) else _rows(lines_of(payload))
    if not rows:
        raise FormatError("no link in the answer of ip link; every host has lo")
    return tuple(map(_fact, rows))


def _facts(request: Request, payload: bytes) -> tuple[Fact, ...]:
    shown = () if is_json(payload) else counters(lines_of(payload))  # live, /proc/net/dev tells them
    return (*parse(request, payload), *bonds(payload), *shown)


def _recognizes(text: str) -> bool:
    if text.lstrip().startswith("["):
        return '"ifindex"' in text and '"operstate"' in text and '"addr_info"' not in text
    head = _HEAD.fullmatch(first_line(text))
    return head is not None and " mode " in head["rest"] and not _ADDRESS.search(text)


SOURCE = Source(
    id="ip_link",
    facts=(Link, Bond, LinkCounters, ReceiveDrops),
    requests=always(query("ip", "-json", "-details", "-statistics", "link", "show")),
    answers=asks_about("ip", "link"),
    recognizes=_recognizes,
    parse=_facts,
)
