"""`ip -json route get ADDRESS`: the link, source and gateway the kernel would take; also the text form.

    192.0.2.7 via 10.9.0.2 dev frta0 src 10.9.0.1 uid 0
        cache mtu 1400

Form: iproute2's ip/iproute.c, print_route. `local` in front, or JSON's "type", is left out for unicast. The mtu is
there when it is configured on the route or was learned from an ICMP message.
"""

import re
from dataclasses import replace

import msgspec

from fullrate.records.errors import FormatError
from fullrate.records.evidence import Request, query
from fullrate.records.facts.link import Route
from fullrate.records.leaf import Source, no_requests
from fullrate.records.parsing import whole
from fullrate.sources._json import decode, is_json
from fullrate.sources._text import asks_about, first_line, lines_of, word_after

_ROUTE = re.compile(r"(?:(?P<kind>[a-z]+) )?(?P<to>[0-9a-f.:]+) .*\bdev (?P<ifname>\S+).*")
_GOT = re.compile(r" from :: | uid \d+|\n\s+cache")  # words of `route get`, not of a route table
_GOT_JSON = re.compile(r'"from":\s*"|"uid":|"cache":')


class _Hop(msgspec.Struct, frozen=True):
    host: str


class _Metrics(msgspec.Struct, frozen=True):
    mtu: int | None = None


class _Row(msgspec.Struct, frozen=True, kw_only=True):
    dst: str
    dev: str
    kind: str = msgspec.field(name="type", default="unicast")
    prefsrc: str | None = None
    gateway: str | None = None
    via: _Hop | None = None  # a gateway of the other family
    metrics: tuple[_Metrics, ...] = ()


def _from_json(payload: bytes) -> Route:
    rows = decode(payload, list[_Row], wanted="ip -json route get")
    if not rows:
        raise FormatError("no route in the answer of ip route get")
    row = rows[0]
    return Route(
        subject=row.dst,
        ifname=row.dev,
        source=row.prefsrc,
        gateway=row.via.host if row.via else row.gateway,
        kind=row.kind,
        mtu=next((entry.mtu for entry in row.metrics if entry.mtu is not None), None),
    )


def _word(text: str, pattern: str) -> str | None:
    match = re.search(rf" {pattern}(\S+)", text)
    return match[1] if match else None


def _from_text(payload: bytes) -> Route:
    text = " ".join(lines_of(payload))
    match = _ROUTE.fullmatch(text)
    if match is None:
        raise FormatError("not the text of ip route get")
    mtu = _word(text, r"mtu (?:lock )?(?=\d)")
    return Route(
        subject=match["to"],
        ifname=match["ifname"],
        source=_word(text, "src "),
        gateway=_word(text, "via (?:inet6? )?"),
        kind=match["kind"] or "unicast",
        mtu=whole(mtu) if mtu else None,
    )


def parse(request: Request, payload: bytes) -> tuple[Route, ...]:
    """The route to the address asked for. Raises FormatError."""
    route = _from_json(payload) if is_json(payload) else _from_text(payload)
    return (replace(route, subject=word_after(request, "get") or route.subject),)


def _recognizes(text: str) -> bool:
    if text.lstrip().startswith("["):
        return '"dst"' in text and '"dev"' in text and bool(_GOT_JSON.search(text))
    return bool(_ROUTE.fullmatch(first_line(text))) and bool(_GOT.search(text))


SOURCE = Source(
    id="ip_route",
    facts=(Route,),
    requests=no_requests,
    pasted=lambda _: query("ip", "-json", "route", "get", "PEER"),
    answers=asks_about("ip", "route", "get"),
    recognizes=_recognizes,
    parse=parse,
)
