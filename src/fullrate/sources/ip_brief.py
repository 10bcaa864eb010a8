"""`ip -br addr`: every link with its state and addresses, one a line.

    lo               UNKNOWN        127.0.0.1/8 ::1/128
    wlp0s20f3        UP             192.168.1.77/24
    veth0@if2        UP             10.9.0.1/24 metric 100 fe80::ff:fe0a:1/64

Form: iproute2's ip/ipaddress.c, print_linkinfo_brief and print_addrinfo with `brief`. It tells no scope: that of an
address follows from what it is (RFC 4291, 2.5; RFC 3927).
"""

import ipaddress
import re
from collections.abc import Iterator

from fullrate.records.errors import FormatError
from fullrate.records.evidence import QueryCommand, Request, query
from fullrate.records.facts.link import Address
from fullrate.records.leaf import Source, no_requests
from fullrate.records.parsing import whole
from fullrate.sources._text import first_line, lines_of

_STATE = r"UP|DOWN|UNKNOWN|LOWERLAYERDOWN|DORMANT|TESTING|NOTPRESENT"
_LINE = re.compile(rf"\s*(?P<link>[^\s@]+)(?:@\S+)?\s+(?:{_STATE})(?P<rest>(?:\s.*)?)")
_ADDRESS = re.compile(r"(?:^|\s)([0-9a-f.:]+)(?: peer [0-9a-f.:]+)?/(\d{1,3})(?=\s|$)")
_OURS = re.compile(rf"\s*[^\s@]+(?:@\S+)?\s+(?:{_STATE})\s+[0-9a-f.:]+/\d+.*")


def _addresses(line: re.Match[str]) -> Iterator[Address]:
    for text, length in _ADDRESS.findall(line["rest"]):
        try:
            one = ipaddress.ip_interface(f"{text}/{length}")
        except ValueError as wrong:
            raise FormatError(f"ip -br addr: {wrong}") from wrong
        scope = "host" if one.is_loopback else "link" if one.is_link_local else "global"
        yield Address(
            subject=line["link"],
            family="inet6" if one.version == 6 else "inet",  # noqa: PLR2004 - of IP
            address=text,
            prefix_length=whole(length),
            scope=scope,
        )


def parse(_: Request, payload: bytes) -> tuple[Address, ...]:
    """Every address. Raises FormatError."""
    lines = lines_of(payload)
    rows = [row for line in lines if (row := _LINE.fullmatch(line)) is not None]
    found = tuple(one for row in rows for one in _addresses(row))
    if len(rows) < len(lines) or not found:
        raise FormatError("not the lines of ip -br addr, or no address in them")
    return found


def _answers(request: Request) -> bool:
    return (
        isinstance(request, QueryCommand)
        and request.argv[:1] == ("ip",)
        and not {"-br", "-brief"}.isdisjoint(request.argv)
    )


SOURCE = Source(
    id="ip_brief",
    facts=(Address,),
    requests=no_requests,
    pasted=lambda _: query("ip", "-br", "addr"),
    answers=_answers,
    recognizes=lambda text: _OURS.fullmatch(first_line(text)) is not None,
    parse=parse,
)
