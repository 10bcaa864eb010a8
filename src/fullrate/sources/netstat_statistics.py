"""`netstat -s`: counters of the IP stack in sentences.

    Tcp:
        37483 segments sent out
        2 segments retransmitted
    TcpExt:
        49 delayed acks sent
        TCPTimeouts: 3

Printed by net-tools' statistics.c from /proc/net/snmp and /proc/net/netstat. Counters that it has no sentence for it
prints by the kernel's name; of the others those that say something of a rate are read, under nstat's names.
"""

import re

from fullrate.records.errors import FormatError
from fullrate.records.evidence import Request, query
from fullrate.records.facts.net import ProtocolCounters
from fullrate.records.leaf import Source, no_requests, runs
from fullrate.records.parsing import whole
from fullrate.sources._text import lines_of

_SECTION = re.compile(r"(\w+):")
_NAMED = re.compile(r"\s+(\w+): (\d+)")
_SENTENCE = re.compile(r"\s+(?:(\d+) (.+?)|(Detected reordering) (\d+) times using (?:SACK|time stamp|FACK).*)\.?")
_NAMES = {
    "Ip": {
        "total packets received": "InReceives",
        "forwarded": "ForwDatagrams",
        "incoming packets discarded": "InDiscards",
        "outgoing packets dropped": "OutDiscards",
        "fragments dropped after timeout": "ReasmTimeout",
        "reassemblies required": "ReasmReqds",
        "packet reassembles failed": "ReasmFails",
        "packet reassemblies failed": "ReasmFails",
        "fragments created": "FragCreates",
    },
    "Tcp": {
        "connections established": "CurrEstab",
        "segments received": "InSegs",
        "segments sent out": "OutSegs",
        "segments send out": "OutSegs",  # net-tools before 1.60
        "segments retransmitted": "RetransSegs",
        "segments retransmited": "RetransSegs",
        "bad segments received": "InErrs",
    },
    "Udp": {
        "packets received": "InDatagrams",
        "packets to unknown port received": "NoPorts",
        "packet receive errors": "InErrors",
        "packets sent": "OutDatagrams",
        "receive buffer errors": "RcvbufErrors",
        "send buffer errors": "SndbufErrors",
    },
    "TcpExt": {
        "times the listen queue of a socket overflowed": "ListenOverflows",
        "SYNs to LISTEN sockets dropped": "ListenDrops",
        "packets pruned from receive queue because of socket buffer overrun": "PruneCalled",
        "packets pruned from receive queue": "RcvPruned",
        "packets collapsed in receive queue due to low socket buffer": "TCPRcvCollapsed",
        "fast retransmits": "TCPFastRetrans",
        "other TCP timeouts": "TCPTimeouts",
        "Detected reordering": "TCPSACKReorder",
    },
}


def _counters(lines: tuple[str, ...]) -> dict[str, int]:
    counters: dict[str, int] = {}
    section = ""
    for line in lines:
        head, named, said = _SECTION.fullmatch(line), _NAMED.fullmatch(line), _SENTENCE.fullmatch(line)
        if head:
            section = head[1]
        elif named and section:
            counters[section + named[1]] = whole(named[2])
        elif said:
            name = _NAMES.get(section, {}).get(said[2] or said[3])
            counters |= {section + name: whole(said[1] or said[4])} if name else {}
    return counters


def parse(_: Request, payload: bytes) -> tuple[ProtocolCounters, ...]:
    """The counters by nstat's names, in the same two groups as the kernel's files. Raises FormatError."""
    counters = _counters(lines_of(payload))
    if not counters:
        raise FormatError("no counter below a protocol's name: not of netstat -s, or its head is cut off")
    extended = {name: value for name, value in counters.items() if name.startswith(("TcpExt", "IpExt", "MPTcpExt"))}
    rest = {name: value for name, value in counters.items() if name not in extended}
    return tuple(
        ProtocolCounters(subject=subject, counters=found)
        for subject, found in (("snmp", rest), ("netstat", extended))
        if found
    )


_OURS = re.compile(
    r"^(Ip|Tcp|Udp|TcpExt):[ \t]*\n[ \t]+"
    r"(\d+ (total packets|active connection|packets received|\S.* (sockets|SYN|packets))"
    r"|Forwarding: \d|\w+: \d+\s*$)",
    re.MULTILINE,
)

SOURCE = Source(
    id="netstat_statistics",
    facts=(ProtocolCounters,),
    requests=no_requests,
    pasted=lambda _: query("netstat", "-s"),
    answers=runs("netstat", "-s"),
    recognizes=lambda text: _OURS.search(text) is not None,
    parse=parse,
)
