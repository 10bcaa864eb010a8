"""/proc/net/netstat: Linux's own TCP, IP and MPTCP counters, a line of names over a line of values.

    TcpExt: SyncookiesSent SyncookiesRecv SyncookiesFailed EmbryonicRsts PruneCalled RcvPruned OfoPruned ...
    TcpExt: 0 0 0 0 5 0 4

Named as nstat(8) names them: TcpExtTCPTimeouts, IpExtInOctets. Written by net/ipv4/proc.c, netstat_seq_show.
"""

import re

from fullrate.records.evidence import ReadFile, Request
from fullrate.records.facts.net import ProtocolCounters
from fullrate.records.leaf import Source, always, reads
from fullrate.records.parsing import named_columns
from fullrate.sources._text import lines_of

_PATH = "/proc/net/netstat"
_HEAD = re.compile(r"^(TcpExt: SyncookiesSent|IpExt: InNoRoutes) ", re.MULTILINE)


def _parse(_: Request, payload: bytes) -> tuple[ProtocolCounters, ...]:
    return (ProtocolCounters(subject="netstat", counters=named_columns(lines_of(payload))),)


SOURCE = Source(
    id="netstat",
    facts=(ProtocolCounters,),
    requests=always(ReadFile(path=_PATH)),
    answers=reads(_PATH),
    recognizes=lambda text: _HEAD.search(text) is not None,
    parse=_parse,
    sampled=10,
)
