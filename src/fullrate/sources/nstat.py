"""`nstat -az`: counters of the IP stack, one a line, with nstat's own rate.

    #kernel
    IpInReceives                    63480              0.0
    TcpExtTCPTimeouts               3                  0.0

Printed by iproute2's misc/nstat.c, from /proc/net/snmp, snmp6 and netstat. Without -a the values are what was added
since nstat ran last, and zeros are left out.
"""

import re

from fullrate.records.errors import FormatError
from fullrate.records.evidence import Request, query
from fullrate.records.facts.net import ProtocolCounters
from fullrate.records.leaf import Source, no_requests, runs
from fullrate.records.parsing import whole
from fullrate.sources._text import lines_of

_LINE = re.compile(r"\s*((?:Ip|Icmp|IcmpMsg|Tcp|Udp|UdpLite|MPTcp)(?:Ext|6)?[A-Z]\w+)\s+(\d+)\s+\d+\.\d+")
_EXTENDED = ("TcpExt", "IpExt", "MPTcpExt")
_SIX = re.compile(r"(Ip|Icmp|Udp|UdpLite)6")


def _group(name: str) -> str:
    if name.startswith(_EXTENDED):
        return "netstat"
    return "snmp6" if _SIX.match(name) else "snmp"


def parse(_: Request, payload: bytes) -> tuple[ProtocolCounters, ...]:
    """The counters in the groups of the kernel's files. Raises FormatError."""
    groups: dict[str, dict[str, int]] = {}
    for line in lines_of(payload):
        found = _LINE.fullmatch(line)
        if found:
            groups.setdefault(_group(found[1]), {})[found[1]] = whole(found[2])
        elif not line.startswith("#"):
            raise FormatError(f"nstat: no counter in {line!r}")
    if not groups:
        raise FormatError("nstat: no counter in it")
    return tuple(ProtocolCounters(subject=subject, counters=counters) for subject, counters in groups.items())


def _recognizes(text: str) -> bool:
    lines = [line for line in lines_of(text) if line != "#kernel"]
    return bool(lines) and _LINE.fullmatch(lines[0]) is not None


SOURCE = Source(
    id="nstat",
    facts=(ProtocolCounters,),
    requests=no_requests,
    pasted=lambda _: query("nstat"),
    answers=runs("nstat"),
    recognizes=_recognizes,
    parse=parse,
)
