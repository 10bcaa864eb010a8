"""`netstat -s`: counters of the IP stack in sentences.

    Tcp:
        37483 segments sent out
        2 segments retransmitted
    TcpExt:
        49 delayed acks sent
        TCPTimeouts: 3

Printed by net-tools' statistics.c from /proc/net/snmp and /proc/net/netstat. Counters that it has no sentence for it
prints by the kernel's name; of the others those that say something of a rate are read, under nstat's names. People
also show single lines of it, found with grep: a sentence of several words is of one protocol only.
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


_SEVERAL = 3  # words: `packets sent` may be of anything
_ALONE = {
    sentence: section + name
    for section in ("Tcp", "TcpExt")
    for sentence, name in _NAMES[section].items()
    if sentence.count(" ") >= _SEVERAL - 1
}
_KERNELS = re.compile(r"\s*(TCP[A-Z]\w{4,40}): (\d+)")  # counters of TcpExt by the kernel's name


def _alone(line: str) -> tuple[str, str] | None:
    """The name and the number of what a line says for itself, with no protocol above it."""
    named, said = _KERNELS.fullmatch(line), _SENTENCE.fullmatch(f" {line}")
    if named:
        return f"TcpExt{named[1]}", named[2]
    name = _ALONE.get(said[2]) if said else None
    return (name, said[1]) if said and name else None


def _counters(lines: tuple[str, ...]) -> dict[str, int]:
    counters: dict[str, int] = {}
    section = ""
    for line in lines:
        head, named, said = _SECTION.fullmatch(line), _NAMED.fullmatch(line), _SENTENCE.fullmatch(line)
        if head:
            section = head[1]
        elif named and section:
            counters[section + named[1]] = whole(named[2])
        elif not section:
            alone = _alone(line)
            counters |= {alone[0]: whole(alone[1])} if alone else {}
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


def _recognizes(text: str) -> bool:
    return _OURS.search(text) is not None or any(
        _SENTENCE.fullmatch(f" {line}") and _alone(line) for line in lines_of(text)
    )


SOURCE = Source(
    id="netstat_statistics",
    facts=(ProtocolCounters,),
    requests=no_requests,
    pasted=lambda _: query("netstat", "-s"),
    answers=runs("netstat", "-s"),
    recognizes=_recognizes,
    parse=parse,
)
