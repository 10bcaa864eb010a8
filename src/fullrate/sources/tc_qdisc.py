"""`tc -s -json qdisc show dev IFNAME`: the link's queueing disciplines; also the text form, `tc -s qdisc`.

    qdisc tbf 20: parent 1:20 rate 20Mbit burst 32Kb lat 11.5ms
     Sent 9641370 bytes 6663 pkt (dropped 11573, overlimits 32972 requeues 0)
     backlog 60564b 42p requeues 0

Form: iproute2's tc/tc_qdisc.c, print_qdisc. The same tbf in JSON has "rate":2500000, bytes per second, and netem an
object {"rate":{"rate":125000}}; cake says "bandwidth", a number or "unlimited".
"""

import re

import msgspec

from fullrate.records.errors import FormatError
from fullrate.records.evidence import Request, query
from fullrate.records.facts.qdisc import Qdisc
from fullrate.records.leaf import Scope, Source
from fullrate.records.parsing import decimal
from fullrate.records.units import MICROSECONDS, MILLISECONDS, BitsPerSecond, Bytes, Seconds
from fullrate.sources._json import decode, is_json
from fullrate.sources._tc import Block, bits, blocks, rate, size, statistics
from fullrate.sources._text import asks_about, first_line, word_after

_HEAD = re.compile(
    r"qdisc (?P<kind>\S+) (?P<handle>[0-9a-f]+:)(?: dev (?P<dev>\S+))?(?: root\b| parent (?P<parent>\S+))?(?P<rest>.*)"
)
_PER_SECOND = {"us": MICROSECONDS, "ms": MILLISECONDS, "s": 1}
_JSON = re.compile(r'\[\s*\{\s*"kind":\s*"[^"]+",\s*"handle":\s*"[0-9a-f]+:"')


class _Options(msgspec.Struct, frozen=True):
    rate: object = None
    bandwidth: object = None
    burst: object = None
    limit: object = None
    lat: object = None


class _Row(msgspec.Struct, frozen=True, kw_only=True):
    kind: str
    handle: str
    dev: str | None = None
    parent: str | None = None
    options: _Options = _Options()
    bytes: int = 0
    packets: int = 0
    drops: int = 0
    overlimits: int = 0
    requeues: int = 0
    backlog: int = 0


def _rate(options: _Options) -> BitsPerSecond | None:
    plain = options.rate.get("rate") if isinstance(options.rate, dict) else options.rate
    return bits(plain if plain is not None else options.bandwidth)


def _whole(value: object) -> int | None:
    return value if isinstance(value, int) else None


def _from_json(row: _Row, link: str) -> Qdisc:
    return Qdisc(
        subject=row.dev or link,
        kind=row.kind,
        handle=row.handle,
        parent=row.parent,
        rate=_rate(row.options),
        burst=_whole(row.options.burst),
        limit=_whole(row.options.limit),
        latency=row.options.lat / MICROSECONDS if isinstance(row.options.lat, int) else None,
        sent_bytes=row.bytes,
        sent_packets=row.packets,
        dropped=row.drops,
        overlimits=row.overlimits,
        requeues=row.requeues,
        backlog=row.backlog,
    )


def _number(rest: str, name: str) -> Bytes | None:
    match = re.search(rf"\s{name} (\d+[KMG]?)[bp]?\b", rest)
    return size(match[1]) if match else None


def _latency(rest: str) -> Seconds | None:
    """The time of tbf's `lat 11.5ms` (iproute2's lib/utils.c, print_time)."""
    match = re.search(r"\slat (\d+(?:\.\d+)?)(us|ms|s)\b", rest)
    return decimal(match[1]) / _PER_SECOND[match[2]] if match else None


def _from_text(block: Block, link: str) -> Qdisc:
    head = _HEAD.fullmatch(block.head)
    if head is None:
        raise FormatError(f"{block.head!r} is no qdisc")
    counted = statistics(block)
    return Qdisc(
        subject=head["dev"] or link,
        kind=head["kind"],
        handle=head["handle"],
        parent=head["parent"],
        rate=rate(head["rest"], "rate", "bandwidth"),
        burst=_number(head["rest"], "burst"),
        limit=_number(head["rest"], "limit"),
        latency=_latency(head["rest"]),
        sent_bytes=counted.sent_bytes,
        sent_packets=counted.sent_packets,
        dropped=counted.dropped,
        overlimits=counted.overlimits,
        requeues=counted.requeues,
        backlog=counted.backlog,
    )


def parse(request: Request, payload: bytes) -> tuple[Qdisc, ...]:
    """The link's qdiscs, the root first; none for a link whose only one is noop. Raises FormatError."""
    link = word_after(request, "dev")
    if is_json(payload):
        return tuple(_from_json(row, link) for row in decode(payload, list[_Row], wanted="tc -json qdisc"))
    found = tuple(_from_text(block, link) for block in blocks(payload, "qdisc"))
    if not found:
        raise FormatError("nothing in the answer of tc qdisc show")
    return found


def _requests(scope: Scope) -> tuple[Request, ...]:
    """One for the link under test; of several the kernel tells at once, with all others."""
    show = ("tc", "-s", "-json", "qdisc", "show")
    return tuple(query(*show, *(() if scope.links[1:] else ("dev", link))) for link in scope.links[:1])


def _recognizes(text: str) -> bool:
    return bool(_JSON.match(text.lstrip()) or _HEAD.fullmatch(first_line(text)))


SOURCE = Source(
    id="tc_qdisc",
    facts=(Qdisc,),
    requests=_requests,
    answers=asks_about("tc", "qdisc"),
    recognizes=_recognizes,
    parse=parse,
    moving=True,
)
