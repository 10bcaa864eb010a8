"""/proc/net/snmp: IP, ICMP, TCP and UDP counters, a line of names over a line of values.

    Tcp: RtoAlgorithm RtoMin RtoMax MaxConn ActiveOpens PassiveOpens AttemptFails EstabResets CurrEstab InSegs ...
    Tcp: 1 200 120000 -1 30 0 0 24 0 395664 3744380 4498 0 63 0

Named as nstat(8) names them: TcpRetransSegs, UdpRcvbufErrors. Written by net/ipv4/proc.c, snmp_seq_show.
"""

import re

from fullrate.records.evidence import ReadFile, Request
from fullrate.records.facts.net import ProtocolCounters
from fullrate.records.leaf import Source, always, reads
from fullrate.records.parsing import named_columns
from fullrate.sources._text import lines_of

_PATH = "/proc/net/snmp"
_HEAD = re.compile(r"^(Ip: Forwarding|Tcp: RtoAlgorithm|Udp: InDatagrams) ", re.MULTILINE)


def _parse(_: Request, payload: bytes) -> tuple[ProtocolCounters, ...]:
    return (ProtocolCounters(subject="snmp", counters=named_columns(lines_of(payload))),)


SOURCE = Source(
    id="snmp",
    facts=(ProtocolCounters,),
    requests=always(ReadFile(path=_PATH)),
    answers=reads(_PATH),
    recognizes=lambda text: _HEAD.search(text) is not None,
    parse=_parse,
    sampled=10,
)
