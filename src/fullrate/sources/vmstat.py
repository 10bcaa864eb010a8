"""`vmstat 1`: where the time of all CPUs together went, a line an interval.

    procs -----------memory---------- ---swap-- -----io---- -system-- ------cpu-----
     r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa st
     2  0      0 22537560  77100 1493640    0    0     0  1308 2719 4105 51  4 45  1  0

vmstat(8) of procps-ng; `gu` came with 4.0. The first line is the mean since boot, so the last one counts, where there
are several. `sy` holds the interrupts.
"""

import re

from fullrate.records.errors import FormatError
from fullrate.records.evidence import Request, query
from fullrate.records.facts.processor import CpuShares
from fullrate.records.leaf import Source, no_requests, runs
from fullrate.records.parsing import whole
from fullrate.sources._text import lines_of

_HEAD = ["r", "b", "swpd", "free"]
_SHARES = {"us", "sy", "id"}
_OURS = re.compile(r"^[ \t]*r\s+b\s+swpd\s+free\s", re.MULTILINE)


def _last(lines: tuple[str, ...]) -> dict[str, int]:
    names: list[str] = []
    rows: list[dict[str, int]] = []
    for line in lines:
        words = line.split()
        if words[: len(_HEAD)] == _HEAD and set(words) >= _SHARES:
            names = words
        elif names and all(word.isdecimal() for word in words[: len(names)]) and len(words) >= len(names):
            rows.append(dict(zip(names, map(whole, words[: len(names)]), strict=True)))
    if not rows:
        raise FormatError("vmstat: no line of numbers below its head")
    return rows[-1]


def parse(_: Request, payload: bytes) -> tuple[CpuShares, ...]:
    """The shares of all CPUs together. Raises FormatError."""
    row = _last(lines_of(payload))
    share = {name: row[name] / 100 for name in ("us", "sy", "id", "wa", "st") if name in row}
    busy = 1 - share["id"] - share.get("wa", 0.0)
    return (CpuShares(busy=max(0.0, busy), user=share["us"], system=share["sy"], steal=share.get("st")),)


SOURCE = Source(
    id="vmstat",
    facts=(CpuShares,),
    requests=no_requests,
    pasted=lambda _: query("vmstat"),
    answers=runs("vmstat"),
    recognizes=lambda text: _OURS.search(text) is not None,
    parse=parse,
)
