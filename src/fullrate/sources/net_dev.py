"""/proc/net/dev: packet counters of every link.

    Inter-|   Receive                                                |  Transmit
     face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo colls carrier compressed
      eth0: 305839649  213097    0 10367    0     0          0         0 303057491  203806    0    0    0     0       0          0

Written by net/core/net-procfs.c, dev_seq_printf_stats. Receive `drop` is rx_dropped + rx_missed_errors.
"""  # noqa: E501 - a real sample keeps its width

import re

from fullrate.records.errors import FormatError
from fullrate.records.evidence import ReadFile, Request
from fullrate.records.facts.link import LinkCounters
from fullrate.records.leaf import Source, always, reads
from fullrate.records.parsing import wholes
from fullrate.sources._text import lines_of

_PATH = "/proc/net/dev"
_COLUMNS = 16
_HEAD = re.compile(r"^Inter-\|\s+Receive", re.MULTILINE)


def _counters(line: str) -> LinkCounters:
    ifname, _, rest = line.rpartition(":")
    words = rest.split()
    if not ifname or len(words) != _COLUMNS:
        raise FormatError(f"/proc/net/dev: not a link with {_COLUMNS} counters: {line!r}")
    received, sent = wholes(words[:8]), wholes(words[8:])
    return LinkCounters(
        subject=ifname.strip(),
        rx_bytes=received[0],
        rx_packets=received[1],
        rx_errors=received[2],
        rx_dropped=received[3],
        tx_bytes=sent[0],
        tx_packets=sent[1],
        tx_errors=sent[2],
        tx_dropped=sent[3],
    )


def _parse(_: Request, payload: bytes) -> tuple[LinkCounters, ...]:
    facts = tuple(_counters(line) for line in lines_of(payload) if "|" not in line)
    if not facts:
        raise FormatError("/proc/net/dev: no link in it")
    return facts


SOURCE = Source(
    id="net_dev",
    facts=(LinkCounters,),
    requests=always(ReadFile(path=_PATH)),
    answers=reads(_PATH),
    recognizes=lambda text: _HEAD.search(text) is not None,
    parse=_parse,
    sampled=10,
)
