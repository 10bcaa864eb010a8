"""NTTTCP for Linux: the totals that either role prints at its end.

    *** sender role
    protocol:                        TCP
    22:46:47 INFO: test duration    :60.00 seconds
    22:46:47 INFO:   throughput     :28.28Gbps
    22:46:47 INFO:   retrans segs   :8

Form: ntttcp-for-linux, src/throughputmanagement.c and src/parameter.c. The near end is the one that printed it. What a
sender of UDP counts is what it gave to its kernel, so it is no rate of what arrived.
"""

import re
from collections.abc import Iterator
from itertools import pairwise

from fullrate.generators._shown import Shown, generator, scaled
from fullrate.records.ends import Direction
from fullrate.records.parsing import decimal, whole

_RATE = re.compile(r"INFO:\s+throughput\s*:\s*(?P<rate>[\d.]+)\s*(?P<prefix>[KMGT]?)bps")
_DURATION = re.compile(r"INFO: test duration\s*:\s*([\d.]+) seconds")
_RETRANSMITS = re.compile(r"INFO:\s+retrans segs\s*:\s*(\d+)")
_STREAMS = re.compile(r"^connections:\s+(\d+) X (\d+) X (\d+)", re.MULTILINE)
_RECEIVES = re.compile(r"^\*\*\* receiver role|\bntttcp\b.{0,300}\s(?:-r|--receiver)\b|use receiver role", re.MULTILINE)
_DATAGRAMS = re.compile(r"^protocol:\s+UDP|\bntttcp\b.{0,300}\s-u\b|UDP send size", re.MULTILINE)
_KNOWN = re.compile(r"^NTTTCP for Linux \d|^Real-time throughput: [\d.]+[KMGT]?bps", re.MULTILINE)
_HEAD = re.compile(r"^NTTTCP for Linux \d", re.MULTILINE)
_MOST = 10_000  # connections that are believed


def _find(text: str) -> Iterator[Shown]:
    starts = [found.start() for found in _HEAD.finditer(text)]
    cuts = [0, *starts[1:], len(text)]  # what stands above the first head may be its command
    for start, end in pairwise(cuts):
        part = text[start:end]
        found, duration = _RATE.search(part), _DURATION.search(part)
        receives, datagrams = _RECEIVES.search(part) is not None, _DATAGRAMS.search(part) is not None
        if found is not None and duration is not None and (receives or not datagrams):
            yield _shown(part, found, decimal(duration[1]), receives=receives, datagrams=datagrams)


def _shown(part: str, found: re.Match[str], seconds: float, *, receives: bool, datagrams: bool) -> Shown:
    retransmits, streams = _RETRANSMITS.search(part), _STREAMS.search(part)
    count = 1
    for number in streams.groups() if streams else ():
        count *= whole(number)
    return Shown(
        text=part,
        rate=scaled(decimal(found["rate"]), found["prefix"]),
        direction=Direction.FAR_TO_NEAR if receives else Direction.NEAR_TO_FAR,
        seconds=seconds,
        protocol="udp" if datagrams else "tcp",
        streams=min(max(1, count), _MOST),
        retransmits=whole(retransmits[1]) if retransmits else None,
    )


GENERATOR = generator("ntttcp", _find, lambda text: _KNOWN.search(text) is not None)
