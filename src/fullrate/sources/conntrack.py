"""/proc/net/stat/nf_conntrack and nf_conntrack_max: the table of tracked connections and how far it may grow.

    entries  clashres found new invalid ignore delete chainlength insert insert_failed drop early_drop icmp_error  ...
    000005d2  00000000 00000000 00000000 00000002 0047b7ef 00000000 00000000 00000000 00000088 00000015 00000000 ...

Written by net/netfilter/nf_conntrack_standalone.c, ct_cpu_seq_show: hexadecimal, one line a CPU, `entries` the same on
all of them, and of this network namespace. Columns were renamed and added over time, so they are taken by their names.
Neither file is there when the kernel does not track connections.
"""

from fullrate.records.errors import FormatError
from fullrate.records.evidence import ReadFile, Request
from fullrate.records.facts.limits import ConntrackCounters, ConntrackLimit
from fullrate.records.leaf import Source, always, reads
from fullrate.records.parsing import hexadecimal, whole
from fullrate.sources._text import lines_of

_TABLE = "/proc/net/stat/nf_conntrack"
_LIMIT = "/proc/sys/net/netfilter/nf_conntrack_max"


def _parse(request: Request, payload: bytes) -> tuple[ConntrackCounters | ConntrackLimit, ...]:
    lines = lines_of(payload)
    if request == ReadFile(path=_LIMIT):
        if len(lines) != 1:
            raise FormatError("nf_conntrack_max: not one number")
        return (ConntrackLimit(entries=whole(lines[0].strip())),)
    return (_counters(lines),)


def _counters(lines: tuple[str, ...]) -> ConntrackCounters:
    names = lines[0].split() if lines else []
    rows = [_row(names, line) for line in lines[1:]]
    try:
        return ConntrackCounters(
            entries=max(row["entries"] for row in rows),
            dropped=sum(row["drop"] for row in rows),
            early_dropped=sum(row["early_drop"] for row in rows),
            insert_failed=sum(row["insert_failed"] for row in rows),
        )
    except (KeyError, ValueError) as error:
        raise FormatError("nf_conntrack: no CPU, or a column is missing") from error


def _row(names: list[str], line: str) -> dict[str, int]:
    words = line.split()
    if len(words) != len(names):
        raise FormatError(f"nf_conntrack: {len(words)} values below {len(names)} names")
    return {name: hexadecimal(word) for name, word in zip(names, words, strict=True)}


SOURCE = Source(
    id="conntrack",
    facts=(ConntrackCounters, ConntrackLimit),
    requests=always(ReadFile(path=_TABLE), ReadFile(path=_LIMIT)),
    answers=reads(_TABLE, _LIMIT),
    recognizes=lambda text: " ".join(lines_of(text)[:1]).startswith("entries ") and " early_drop " in text,
    parse=_parse,
    moving=True,
)
