"""`tc -s -json class show dev IFNAME`: the classes of the link's classful qdiscs; also the text form.

    class htb 1:20 parent 1:1 leaf 20: prio 0 rate 20Mbit ceil 40Mbit burst 30Kb cburst 1600b
     Sent 9626950 bytes 6653 pkt (dropped 11133, overlimits 286 requeues 0)
     backlog 59122b 41p requeues 0

Form: iproute2's tc/tc_class.c, print_class. iproute2 6.1 prints this text although JSON was asked for, and nothing
when there is no class; 6.15 prints JSON, rates in bytes per second. hfsc, in words only, names its service curves
(`sc m1 0bit d 0us m2 10Mbit ul m1 0bit d 0us m2 20Mbit`): m2 is the lasting rate, `ul` the ceiling.
"""

import re

import msgspec

from fullrate.records.errors import FormatError
from fullrate.records.evidence import Request, query
from fullrate.records.facts.qdisc import QdiscClass
from fullrate.records.leaf import Scope, Source
from fullrate.sources._json import decode, is_json
from fullrate.sources._tc import Block, bits, blocks, rate, statistics
from fullrate.sources._text import asks_about, first_line, word_after

_HEAD = re.compile(
    r"class (?P<kind>\S+) (?P<classid>[0-9a-f]*:[0-9a-f]+)(?: dev (?P<dev>\S+))?"
    r"(?: root\b| parent (?P<parent>\S+))(?P<rest>.*)"
)
_JSON = re.compile(r'\[\s*\{\s*"class":\s*"')
_M2 = r"m1 \S+ d \S+ m2"


class _Counted(msgspec.Struct, frozen=True, kw_only=True):
    bytes: int = 0
    packets: int = 0
    drops: int = 0
    overlimits: int = 0


class _Row(msgspec.Struct, frozen=True, kw_only=True):
    kind: str = msgspec.field(name="class")
    handle: str
    dev: str | None = None
    parent: str | None = None
    rate: object = None
    ceil: object = None
    stats: _Counted = _Counted()


def _from_json(row: _Row, link: str) -> QdiscClass:
    return QdiscClass(
        subject=row.dev or link,
        kind=row.kind,
        classid=row.handle,
        parent=row.parent,
        rate=bits(row.rate),
        ceiling=bits(row.ceil),
        sent_bytes=row.stats.bytes,
        sent_packets=row.stats.packets,
        dropped=row.stats.drops,
        overlimits=row.stats.overlimits,
    )


def _from_text(block: Block, link: str) -> QdiscClass:
    head = _HEAD.fullmatch(block.head)
    if head is None:
        raise FormatError(f"{block.head!r} is no class")
    counted = statistics(block)
    return QdiscClass(
        subject=head["dev"] or link,
        kind=head["kind"],
        classid=head["classid"],
        parent=head["parent"],
        rate=rate(head["rest"], "rate", f"(?:sc|rt|ls) {_M2}"),
        ceiling=rate(head["rest"], "ceil", f"ul {_M2}"),
        sent_bytes=counted.sent_bytes,
        sent_packets=counted.sent_packets,
        dropped=counted.dropped,
        overlimits=counted.overlimits,
    )


def parse(request: Request, payload: bytes) -> tuple[QdiscClass, ...]:
    """The link's classes; none when no qdisc has any. Raises FormatError."""
    link = word_after(request, "dev")
    if is_json(payload):
        return tuple(_from_json(row, link) for row in decode(payload, list[_Row], wanted="tc -json class"))
    return tuple(_from_text(block, link) for block in blocks(payload, "class"))


def _requests(scope: Scope) -> tuple[Request, ...]:
    """One a link: unlike its qdiscs, the kernel tells the classes of no link unasked."""
    links = [link for link in scope.links if link not in scope.without_classes]
    return tuple(query("tc", "-s", "-json", "class", "show", "dev", link) for link in links)


def _recognizes(text: str) -> bool:
    return bool(_JSON.match(text.lstrip()) or _HEAD.fullmatch(first_line(text)))


SOURCE = Source(
    id="tc_class",
    facts=(QdiscClass,),
    requests=_requests,
    answers=asks_about("tc", "class"),
    recognizes=_recognizes,
    parse=parse,
    moving=True,
)
