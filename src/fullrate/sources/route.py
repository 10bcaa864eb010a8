"""`route -n` and `netstat -rn`: the table of routes as net-tools print it.

    Kernel IP routing table
    Destination     Gateway         Genmask         Flags Metric Ref    Use Iface
    0.0.0.0         192.0.2.1       0.0.0.0         UG    0      0        0 eth2
    192.0.2.0       0.0.0.0         255.255.255.0   U     0      0        0 eth0

Form: net-tools' lib/inet_gr.c. netstat has `MSS Window  irtt` in place of the metric.
"""

import re
from collections.abc import Iterator
from ipaddress import AddressValueError, IPv4Network, NetmaskValueError

from fullrate.records.errors import FormatError
from fullrate.records.evidence import Request, query
from fullrate.records.facts.link import Route
from fullrate.records.leaf import Source, no_requests, runs
from fullrate.records.parsing import whole
from fullrate.sources._text import lines_of

_HEAD = re.compile(r"\s*Destination\s+Gateway\s+Genmask\s+Flags\s+(Metric\s+Ref\s+Use|MSS\s+Window\s+irtt)\s+Iface\s*")
_ROW = re.compile(r"\s*(\S+)\s+(\S+)\s+([\d.]+)\s+(U\w*)\s+(\d+)\s+\d+\s+\d+\s+(\S+)\s*")
_EVERYTHING = "0.0.0.0/0"
_NOBODY = ("0.0.0.0", "*")  # noqa: S104 - no address to bind to


def _network(to: str, mask: str) -> str:
    try:
        network = str(IPv4Network(f"{to}/{mask}", strict=False))
    except (AddressValueError, NetmaskValueError):  # the name of a network, or `default`, of `route` without -n
        return to
    return "default" if network == _EVERYTHING else network


def _route(row: re.Match[str], *, metric: bool) -> Route:
    to, gateway, mask, _, number, ifname = row.groups()
    return Route(
        subject=_network(to, mask),
        ifname=ifname,
        gateway=None if gateway in _NOBODY else gateway,
        metric=whole(number) if metric else None,
    )


def _routes(lines: tuple[str, ...]) -> Iterator[Route]:
    head: re.Match[str] | None = None
    for line in lines:
        head = _HEAD.fullmatch(line) or head
        row = _ROW.fullmatch(line)
        if row is not None and head is not None:
            yield _route(row, metric=head[1].startswith("Metric"))


def parse(_: Request, payload: bytes) -> tuple[Route, ...]:
    """Every route that is up. Raises FormatError."""
    found = tuple(_routes(lines_of(payload)))
    if not found:
        raise FormatError("no route below the heads of route -n")
    return found


_plain, _numbers, _netstat = runs("route"), runs("route", "-n"), runs("netstat", "-rn")

SOURCE = Source(
    id="route",
    facts=(Route,),
    requests=no_requests,
    pasted=lambda _: query("route", "-n"),
    answers=lambda request: _plain(request) or _numbers(request) or _netstat(request),
    recognizes=lambda text: any(map(_HEAD.fullmatch, text.splitlines())),
    parse=parse,
)
