"""`tc -s filter show dev IFNAME [ingress]`: policers, which drop what comes faster than they allow.

    filter protocol all pref 49152 u32 chain 0 fh 800::800 order 2048 key ht 800 bkt 0 flowid :1
     police 0x1 rate 100Mbit burst 128Kb mtu 2Kb action drop overhead 0b
            ref 1 bind 1  installed 12 sec used 0 sec
     Action statistics:
            Sent 18023412 bytes 12004 pkt (dropped 733, overlimits 733 requeues 0)

Form: iproute2's tc/m_police.c, print_police; `Action statistics:` stands there with -s, and before 4.16 the counters
came without it.
"""

import re
from collections.abc import Iterator

from fullrate.records.errors import FormatError
from fullrate.records.evidence import Request, query
from fullrate.records.facts.qdisc import Policer
from fullrate.records.leaf import Source, no_requests
from fullrate.records.parsing import bit_rate, whole
from fullrate.sources._text import asks_about, lines_of, word_after

_POLICE = re.compile(r"\s*(?:action order \d+:\s*)?police (0x[0-9a-f]+|\d+) rate (\d+\S*bit)\b.*")
_SENT = re.compile(r"\s*Sent (\d+) bytes (\d+) pkts? \(dropped (\d+), overlimits (\d+) requeues \d+\)\s*")
_DEV = re.compile(r"filter (?:dev (\S+) )?.*")
_OURS = re.compile(
    r"^[ \t]*(filter (dev \S+ )?(parent \S+ )?protocol \S+ pref \d+ |(action order \d+:\s*)?police 0x)", re.MULTILINE
)


def _policer(link: str, police: re.Match[str] | None) -> Policer | None:
    return None if police is None else Policer(subject=link, index=police[1], rate=bit_rate(police[2]))


def _policers(link: str, lines: tuple[str, ...]) -> Iterator[Policer]:
    found: Policer | None = None
    for line in lines:
        head, police, sent = _DEV.fullmatch(line.strip()), _POLICE.fullmatch(line), _SENT.fullmatch(line)
        if head or police:
            link = (head[1] if head else None) or link
            if found:
                yield found
            found = _policer(link, police)
        elif sent and found:
            yield Policer(
                subject=found.subject,
                index=found.index,
                rate=found.rate,
                sent_bytes=whole(sent[1]),
                dropped=whole(sent[3]),
            )
            found = None
    if found:
        yield found


def parse(request: Request, payload: bytes) -> tuple[Policer, ...]:
    """The policers of the link; none where its filters do something else. Raises FormatError."""
    lines = lines_of(payload)
    if not any(map(_OURS.match, lines)):
        raise FormatError("no filter in it: not of tc filter show")
    try:
        return tuple(_policers(word_after(request, "dev"), lines))
    except ValueError as error:
        raise FormatError(f"tc filter: {error}") from error


SOURCE = Source(
    id="tc_filter",
    facts=(Policer,),
    requests=no_requests,
    pasted=lambda link: query("tc", "filter", "show", "dev", link),
    answers=asks_about("tc", "filter"),
    recognizes=lambda text: _OURS.search(text) is not None,
    parse=parse,
)
