"""`netstat -i`: packet counters of every link, a row each.

    Kernel Interface table
    Iface             MTU    RX-OK RX-ERR RX-DRP RX-OVR    TX-OK TX-ERR TX-DRP TX-OVR Flg
    eth0             1500  1090148      0    616   7144   634362      0      0      0 BMRU

Printed by net-tools' lib/interface.c, ife_print_short, from /proc/net/dev; before 1.60 a column `Met` followed MTU.
RX-OVR is rx_fifo_errors.
"""

import re

from fullrate.records.errors import FormatError
from fullrate.records.evidence import Request, query
from fullrate.records.facts.link import LinkCounters
from fullrate.records.facts.queues import ReceiveDrops
from fullrate.records.leaf import Source, no_requests, runs
from fullrate.records.parsing import whole
from fullrate.sources._text import lines_of

_HEAD = re.compile(r"\s*Iface\s+MTU\s+(?:Met\s+)?RX-OK\s+RX-ERR\s.*")
_OURS = re.compile(r"^[ \t]*Iface\s+MTU\s+(?:Met\s+)?RX-OK\s", re.MULTILINE)
_UNKNOWN = "- no statistics available -"  # of an alias


def _row(names: list[str], line: str) -> tuple[LinkCounters, ReceiveDrops]:
    words = line.split()
    if len(words) != len(names):
        raise FormatError(f"netstat -i: not the {len(names)} columns of its head: {line!r}")
    row = dict(zip(names, words, strict=True))
    counts = {name: whole(word) for name, word in row.items() if name.startswith(("RX-", "TX-"))}
    link = row["Iface"]
    return (
        LinkCounters(
            subject=link,
            rx_packets=counts.get("RX-OK"),
            rx_errors=counts.get("RX-ERR"),
            rx_dropped=counts.get("RX-DRP"),
            tx_packets=counts.get("TX-OK"),
            tx_errors=counts.get("TX-ERR"),
            tx_dropped=counts.get("TX-DRP"),
        ),
        ReceiveDrops(subject=link, fifo=counts.get("RX-OVR")),
    )


def parse(_: Request, payload: bytes) -> tuple[LinkCounters | ReceiveDrops, ...]:
    """The counters of every link. Raises FormatError."""
    lines = lines_of(payload)
    place = next((place for place, line in enumerate(lines) if _HEAD.fullmatch(line)), None)
    if place is None or not lines[place + 1 :]:
        raise FormatError("netstat -i: no row below the head `Iface MTU RX-OK`")
    names = lines[place].split()
    rows = [line for line in lines[place + 1 :] if _UNKNOWN not in line]
    return tuple(fact for line in rows for fact in _row(names, line))


SOURCE = Source(
    id="netstat_interfaces",
    facts=(LinkCounters, ReceiveDrops),
    requests=no_requests,
    pasted=lambda _: query("netstat", "-i"),
    answers=runs("netstat", "-i"),
    recognizes=lambda text: _OURS.search(text) is not None,
    parse=parse,
)
