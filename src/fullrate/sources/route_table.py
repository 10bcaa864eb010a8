"""`ip route`: the table of routes; its default leads out by the link that is most likely meant.

    default via 192.0.2.1 dev eth0 proto dhcp src 192.0.2.7 metric 100
    192.0.2.0/24 dev eth0 proto kernel scope link src 192.0.2.7 metric 100

Form: iproute2's ip/iproute.c, print_route. Of a route with several next hops the lines below it name the links.
"""

import re
from collections.abc import Iterator

from fullrate.records.errors import FormatError
from fullrate.records.evidence import Request, query
from fullrate.records.facts.link import Route
from fullrate.records.leaf import Source, no_requests
from fullrate.records.parsing import whole
from fullrate.sources._text import asks_about, first_line, lines_of

_ROUTE = re.compile(
    r"\s*(?:(?P<kind>unicast|local|broadcast|anycast|multicast|unreachable|blackhole|prohibit|throw|nat) )?"
    r"(?P<to>default|[0-9a-f.:]+(?:/\d+)?)(?: .*)?"
)
_DEV = re.compile(r"\bdev (\S+)")
_VIA = re.compile(r"\bvia (?:inet6? )?(\S+)")
_SOURCE = re.compile(r"\bsrc (\S+)")
_MTU = re.compile(r"\bmtu (?:lock )?(\d+)")
_METRIC = re.compile(r"\bmetric (\d+)")
_TABLE = re.compile(r" (proto|scope|metric|linkdown|onlink|pref|nexthop|src|table)\b|^[ \t]*default (via|dev) ")
_GET = re.compile(r" from :: | uid \d+")  # of `ip route get`


def _word(pattern: re.Pattern[str], line: str) -> str | None:
    found = pattern.search(line)
    return None if found is None else found[1]


def _routes(lines: tuple[str, ...]) -> Iterator[Route]:
    for line in lines:
        route, dev = _ROUTE.fullmatch(line), _DEV.search(line)
        if route is None and "nexthop" not in line and line.strip() != "cache":
            raise FormatError(f"ip route: no route in {line!r}")
        if route is None or dev is None:
            continue
        mtu, metric = _word(_MTU, line), _word(_METRIC, line)
        yield Route(
            subject=route["to"],
            ifname=dev[1],
            source=_word(_SOURCE, line),
            gateway=_word(_VIA, line),
            kind=route["kind"] or "unicast",
            mtu=whole(mtu) if mtu else None,
            metric=whole(metric) if metric else None,
        )


def parse(_: Request, payload: bytes) -> tuple[Route, ...]:
    """Every route that leads to a link. Raises FormatError."""
    found = tuple(_routes(lines_of(payload)))
    if not found:
        raise FormatError("no route that leads to a link: not of ip route")
    return found


_shows = tuple(asks_about("ip", "route", *words) for words in (("show",), ("list",), ("ls",)))
_bare = asks_about("ip", "route")
_get = asks_about("ip", "route", "get")


def _answers(request: Request) -> bool:
    return (_bare(request) and not _get(request)) or any(asks(request) for asks in _shows)


def _recognizes(text: str) -> bool:
    first = first_line(text)
    route = _ROUTE.fullmatch(first)
    return route is not None and bool(_DEV.search(first)) and bool(_TABLE.search(first)) and not _GET.search(first)


SOURCE = Source(
    id="route_table",
    facts=(Route,),
    requests=no_requests,
    pasted=lambda _: query("ip", "route"),
    answers=_answers,
    recognizes=_recognizes,
    parse=parse,
)
