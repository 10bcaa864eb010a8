"""`ping -n -M do -s SIZE ADDRESS`: whether packets of one size arrive unfragmented.

    PING 198.51.100.2 (198.51.100.2) 1400(1428) bytes of data.
    From 192.0.2.2 icmp_seq=1 Frag needed and DF set (mtu = 1300)

    --- 198.51.100.2 ping statistics ---
    3 packets transmitted, 0 received, +3 errors, 100% packet loss, time 405ms

iputils ping/ping.c and ping_common.c (20221126 and 20240905). A size above the host's own MTU is refused on stderr,
`ping: local error: message too long, mtu=1500` or `ping: sendmsg: Message too long`; stdout then only counts
errors. People cut the head off; what is left tells the size by its reply lines, `64 bytes from 192.0.2.1: ...`, which
count the ICMP header, or not at all. Checks ask for this with records.probes.echo_request; nothing is sent on its
own account.
"""

import re
from collections.abc import Sequence

from fullrate.records.errors import FormatError
from fullrate.records.evidence import Request, query
from fullrate.records.facts.net import EchoProbe
from fullrate.records.leaf import Source, no_requests, runs
from fullrate.records.parsing import decimal, whole
from fullrate.records.units import MILLISECONDS, Seconds

# `PING NAME (ADDRESS) 1372(1400) bytes of data.`, `PING NAME(ADDRESS) 1452 data bytes`
_HEAD = re.compile(r"^PING ([^\s(]+) ?\([^)]+\):? (?:from \S+ \S+ )?(\d+)(?:\(\d+\))? (?:data )?bytes", re.MULTILINE)
_COUNTS = re.compile(
    r"^(\d+) packets transmitted, (\d+) (?:packets )?received(?:, \+\d+ duplicates)?(?:, \+(\d+) errors)?",
    re.MULTILINE,
)
_RTT = re.compile(
    r"^[ \t]*(?:ping\S{0,40}: ?)?(?:rtt|round-trip) min/avg/max(?:/mdev)? = [\d.]+/([\d.]+)/", re.MULTILINE
)
_LOCAL_MTU = re.compile(r"[Mm]essage too long, mtu[=:] ?(\d+)")
_PATH_MTU = re.compile(r"(?:Frag needed and DF set \(mtu = |Packet too big: mtu=)(\d+)")
_REPLY = re.compile(r"^[ \t]*(\d+) bytes from ([^\s:(]+)(?:[:(]\S*)? .*?\btime[=<](\d+(?:\.\d+)?) ?ms", re.MULTILINE)
_RESULT = re.compile(r"^[ \t]*--- (\S+) ping statistics ---", re.MULTILINE)
_HEADER = 8  # bytes of an ICMP echo before its payload


def _of_its_times(text: str, counts: re.Match[str] | None) -> EchoProbe:
    """Of a whole answer the line with its times alone. Raises FormatError."""
    rtt = _mean(text, [])
    if rtt is None or counts:
        raise FormatError("ping: no PING line, and neither replies nor statistics in it")
    return EchoProbe(subject="", sent=1, received=1, size=None, rtt=rtt)


def _cut(text: str) -> EchoProbe:
    """What is left of an answer without its head: replies, or the statistics, or both."""
    counts, result = _COUNTS.search(text), _RESULT.search(text)
    replies = _REPLY.findall(text)
    if not replies and not (counts and result):
        return _of_its_times(text, counts)
    size = whole(replies[0][0]) - _HEADER if replies else None
    address = replies[0][1] if replies else result[1] if result else ""
    return EchoProbe(
        subject=f"{address} {size}" if size is not None else address,
        sent=_count(counts, 1, len(replies)),
        received=_count(counts, 2, len(replies)),
        size=size,
        rtt=_mean(text, [time for _, _, time in replies]),
        errors=_count(counts, 3, 0),
    )


def _count(counts: re.Match[str] | None, place: int, otherwise: int) -> int:
    return otherwise if counts is None else whole(counts[place] or "0")


def _mean(text: str, replies: Sequence[str]) -> Seconds | None:
    """The mean time of an answer, as the statistics say, else of the replies that are left."""
    rtt, times = _RTT.search(text), [decimal(time) for time in replies]
    if rtt is not None:
        return decimal(rtt[1]) / MILLISECONDS
    return sum(times) / len(times) / MILLISECONDS if times else None


def _number(pattern: re.Pattern[str], text: str) -> int | None:
    match = pattern.search(text)
    return whole(match[1]) if match else None


def _parse(_: Request, payload: bytes) -> tuple[EchoProbe, ...]:
    text = payload.decode(errors="replace")
    head, counts, rtt = _HEAD.search(text), _COUNTS.search(text), _RTT.search(text)
    if head is None:
        return (_cut(text),)
    if counts is None:
        raise FormatError("ping: no statistics below its PING line")
    return (
        EchoProbe(
            subject=f"{head[1]} {head[2]}",
            sent=whole(counts[1]),
            received=whole(counts[2]),
            size=whole(head[2]),
            rtt=decimal(rtt[1]) / MILLISECONDS if rtt else None,
            local_mtu=_number(_LOCAL_MTU, text),
            errors=whole(counts[3] or "0"),
            path_mtu=_number(_PATH_MTU, text),
        ),
    )


SOURCE = Source(
    id="ping",
    facts=(EchoProbe,),
    pasted=lambda _: query("ping", "PEER"),
    requests=no_requests,
    answers=runs("ping"),
    recognizes=lambda text: any(form.search(text) for form in (_HEAD, _REPLY, _RESULT, _RTT)),
    parse=_parse,
)
