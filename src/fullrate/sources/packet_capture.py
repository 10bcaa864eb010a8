"""Packets as `tcpdump` and `tshark` print them, a line each: closed windows, and packets that were too big.

    12:01:02.123456 IP 192.0.2.1.5201 > 192.0.2.2.43210: Flags [.], ack 1, win 0, length 0
    14:03:38.899277 IP 192.0.2.1 > 192.0.2.9: ICMP 192.0.2.1 unreachable - need to frag (mtu 1420), length 556
    1894865 1198.584902 192.0.2.3 192.0.2.1 TCP 54 [TCP ZeroWindow] 5003 -> 50808 [ACK] Seq=1 Ack=26 Win=0 Len=0

Forms: print-ip.c, print-tcp.c, print-icmp.c and print-icmp6.c of tcpdump; the summary line of Wireshark
(epan/dissectors/packet-tcp.c, packet-icmp.c), whose columns tabs or blanks part. A reset has no window, so its zero
says nothing. Where the packets were taken, and what was filtered out, is not told: a share of them means little.
"""

import re
from collections import Counter

from fullrate.records.errors import FormatError
from fullrate.records.evidence import Request, query
from fullrate.records.facts.net import Capture
from fullrate.records.leaf import Source, no_requests
from fullrate.records.parsing import whole
from fullrate.sources._text import lines_of

_TIME = r"(?:\d{4}-\d\d-\d\d )?\d\d:\d\d:\d\d\.\d{6,9}|\d{9,10}\.\d{6,9}"
_TCPDUMP = re.compile(rf"\s*(?:{_TIME}) .{{0,120}}?\bIP6? (?:\([^)]*\) )?(?P<source>\S+) > (?P<rest>\S+: .*)")
_TSHARK = re.compile(
    r"\s*(?:\d+\s+)?(?:\d+\.\d{3,9}|\d\d:\d\d:\d\d\.\d{3,9})\s+(?P<source>[\da-fA-F.:]{3,45})\s+(?:\u2192\s+|->\s+)?"
    r"[\da-fA-F.:]{3,45}\s+(?P<rest>(?:TCP|UDP|ICMP|ICMPv6|TLS\S*|HTTP\S*|SSH\S*|QUIC)\s+\d+\s+.*)"
)
_CLOSED = re.compile(r"\bwin 0(?!\d)|\bWin=0(?!\d)|\[TCP ZeroWindow\]")
_ENDS = re.compile(r"Flags \[[^\[\]]*[RS]|\[(?:RST|SYN)\b")
_TOO_BIG = re.compile(r"need to frag(?: \(mtu (\d+)\))?|[Pp]acket too big(?:, mtu (\d+))?|[Ff]ragmentation needed")


def parse(_: Request, payload: bytes) -> tuple[Capture, ...]:
    """What the packets say, all together. Raises FormatError."""
    rows = [row for line in lines_of(payload) if (row := _row(line))]
    if not rows:
        raise FormatError("no packet as tcpdump or tshark prints it")
    closed = [row["source"] for row in rows if _CLOSED.search(row["rest"]) and not _ENDS.search(row["rest"])]
    refused = [found for row in rows if (found := _TOO_BIG.search(row["rest"]))]
    sizes = [size for found in refused for size in found.groups() if size]
    return (
        Capture(
            packets=len(rows),
            closed_windows=len(closed),
            closed_by=Counter(closed).most_common(1)[0][0] if closed else "",
            too_big=len(refused),
            next_mtu=whole(sizes[-1]) if sizes else None,
        ),
    )


def _row(line: str) -> re.Match[str] | None:
    return _TCPDUMP.match(line) or _TSHARK.match(line)


def _recognizes(text: str) -> bool:
    return any(map(_row, lines_of(text)))


SOURCE = Source(
    id="packet_capture",
    facts=(Capture,),
    requests=no_requests,
    pasted=lambda _: query("tcpdump", "-n"),
    answers=lambda request: request == query("tcpdump", "-n"),
    recognizes=_recognizes,
    parse=parse,
)
