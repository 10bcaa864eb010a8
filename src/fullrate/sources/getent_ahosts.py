"""`getent ahosts NAME`: the addresses of a host's name, in the order its programs would try them.

    203.0.113.7     STREAM nas.example.org
    203.0.113.7     DGRAM
    203.0.113.7     RAW

Printed by glibc's nss/getent.c, ahosts_keys_int: a line for each kind of socket, the canonical name on the first one
only; the order is getaddrinfo(3)'s (RFC 6724). A name that is not known prints nothing and exits with 2.
Session asks for this with records.probes.resolve_request, for a server that is named and not reached.
"""

import re

from fullrate.records.errors import FormatError
from fullrate.records.evidence import Request, query
from fullrate.records.facts.names import ResolvedAddress
from fullrate.records.leaf import Source, no_requests, runs
from fullrate.records.sockets import plain_address
from fullrate.sources._text import lines_of, word_after

_LINE = re.compile(r"(?P<address>[0-9a-fA-F.:]+(?:%\S+)?) +(?:STREAM|DGRAM|RAW)(?: +(?P<name>\S+))?")


def parse(request: Request, payload: bytes) -> tuple[ResolvedAddress, ...]:
    """Each address once, in their order. Raises FormatError."""
    rows = [_row(line) for line in lines_of(payload)]
    if not rows:
        raise FormatError("getent ahosts: no address in it")
    subject = word_after(request, "ahosts") or rows[0]["name"] or ""
    found = dict.fromkeys(plain_address(row["address"]) for row in rows)
    return tuple(ResolvedAddress(subject=subject, address=address) for address in found)


def _row(line: str) -> re.Match[str]:
    match = _LINE.fullmatch(line)
    if match is None:
        raise FormatError(f"getent ahosts: not an address and a kind of socket: {line!r}")
    return match


def recognizes(text: str) -> bool:
    """Whether the text is such a list."""
    lines = lines_of(text)
    return bool(lines) and all(_LINE.fullmatch(line) for line in lines)


SOURCE = Source(
    id="getent_ahosts",
    facts=(ResolvedAddress,),
    pasted=lambda _: query("getent", "ahosts", "PEER"),
    requests=no_requests,
    answers=runs("getent", "ahosts"),
    recognizes=recognizes,
    parse=parse,
)
