"""`ip -json -details -statistics link show`: every link of the host; also the text form, `ip -d -s link`.

    16: vl10@eth3: <BROADCAST,MULTICAST,M-DOWN> mtu 1500 qdisc noqueue state DOWN mode DEFAULT group default qlen 1000
        link/ether 02:00:00:1a:b0:00 brd ff:ff:ff:ff:ff:ff promiscuity 0  allmulti 0 minmtu 0 maxmtu 65535
        vlan protocol 802.1Q id 10 <REORDER_HDR> addrgenmode eui64 numtxqueues 1 numrxqueues 1 gso_max_size 65536

Form: _ip_links.
"""

import re

from fullrate.records.errors import FormatError
from fullrate.records.evidence import Request, query
from fullrate.records.facts.base import Fact
from fullrate.records.facts.bonding import Bond
from fullrate.records.facts.link import Link, LinkCounters
from fullrate.records.facts.phy import WireErrors
from fullrate.records.facts.queues import ReceiveDrops
from fullrate.records.leaf import Source, always
from fullrate.sources._bonds import bonds
from fullrate.sources._ip_links import HEAD, Row, link_fact, row_of
from fullrate.sources._ip_statistics import counters
from fullrate.sources._json import decode, is_json
from fullrate.sources._text import asks_about, first_line, lines_of

_WANTED = "ip -json link"
_ADDRESS = re.compile(r"\n[ \t]+inet6? ")


def _rows(lines: tuple[str, ...]) -> list[Row]:
    heads = [(place, match) for place, line in enumerate(lines) if (match := HEAD.fullmatch(line))]
    starts = [place for place, _ in heads]
    if starts[:1] != [0] or not all(line[0].isspace() for place, line in enumerate(lines) if place not in starts):
        raise FormatError("not the text of ip link")
    ends = [*starts[1:], len(lines)]
    return [row_of(match, lines[place + 1 : end]) for (place, match), end in zip(heads, ends, strict=True)]


def parse(_: Request, payload: bytes) -> tuple[Link, ...]:
    """Every link. Raises FormatError."""
    rows = decode(payload, list[Row], wanted=_WANTED) if is_json(payload) else _rows(lines_of(payload))
    if not rows:
        raise FormatError("no link in the answer of ip link; every host has lo")
    return tuple(map(link_fact, rows))


def _facts(request: Request, payload: bytes) -> tuple[Fact, ...]:
    shown = () if is_json(payload) else counters(lines_of(payload))  # live, /proc/net/dev tells them
    return (*parse(request, payload), *bonds(payload), *shown)


def _recognizes(text: str) -> bool:
    if text.lstrip().startswith("["):
        return '"ifindex"' in text and '"operstate"' in text and '"addr_info"' not in text
    head = HEAD.fullmatch(first_line(text))
    return head is not None and " mode " in head["rest"] and not _ADDRESS.search(text)


SOURCE = Source(
    id="ip_link",
    facts=(Link, Bond, LinkCounters, ReceiveDrops, WireErrors),
    requests=always(query("ip", "-json", "-details", "-statistics", "link", "show")),
    answers=asks_about("ip", "link"),
    recognizes=_recognizes,
    parse=_facts,
)
