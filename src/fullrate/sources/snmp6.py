"""/proc/net/snmp6: the counters of IPv6 and of UDP over it, one a line.

    Ip6FragCreates                  	9
    Udp6RcvbufErrors                	37

Written by net/ipv6/proc.c, snmp6_seq_show; not there when the kernel has no IPv6. TCP counts both versions in
/proc/net/snmp.
"""

import re

from fullrate.records.errors import FormatError
from fullrate.records.evidence import ReadFile, Request
from fullrate.records.facts.net import ProtocolCounters
from fullrate.records.leaf import Source, always, reads
from fullrate.records.parsing import whole
from fullrate.sources._text import lines_of

_PATH = "/proc/net/snmp6"
_LINE = re.compile(r"([A-Z]\w+6\w*)\s+(\d+)")


def _parse(_: Request, payload: bytes) -> tuple[ProtocolCounters, ...]:
    lines = [_LINE.fullmatch(line) for line in lines_of(payload)]
    found = {line[1]: whole(line[2]) for line in lines if line}
    if not found or len(found) < len(lines):
        raise FormatError("/proc/net/snmp6: a line is not `Name value`")
    return (ProtocolCounters(subject="snmp6", counters=found),)


SOURCE = Source(
    id="snmp6",
    facts=(ProtocolCounters,),
    requests=always(ReadFile(path=_PATH)),
    answers=reads(_PATH),
    recognizes=lambda text: all(map(_LINE.fullmatch, lines_of(text) or ("",))),
    parse=_parse,
    sampled=1,
)
