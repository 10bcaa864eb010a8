"""/proc/net/softnet_stat: the receive path of each online CPU, hexadecimal columns without names.

    00010c8e 00000000 000000c9 00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000

Written by net/core/net-procfs.c (before Linux 3.10 net/core/dev.c), softnet_seq_show:
1 processed, 2 dropped, 3 time_squeeze, 4 to 9 unused, 10 received_rps, 11 flow_limit_count, 12 backlog length,
13 CPU, 14 and 15 the two queues the backlog length sums up. Columns were only ever added at the end:
Linux kernel commit 59da2d7b0e99 ("net-sysfs: display two backlog queue len separately") (in v6.4): 15
Linux kernel commit 7d58e6555870 ("net-sysfs: add backlog len and CPU id to softnet data") (in v5.10): 13
Linux kernel commit 99bbc7074190 ("rps: selective flow shedding during softnet overflow") (in v3.11): 11
Linux kernel commit 0a9627f2649a ("rps: Receive Packet Steering") (in v2.6.35): 10, before it 9
"""

import re

from fullrate.records.errors import FormatError
from fullrate.records.evidence import ReadFile, Request
from fullrate.records.facts.cpu import Softnet
from fullrate.records.leaf import Source, always, reads
from fullrate.records.parsing import hexadecimal
from fullrate.sources._text import lines_of

_PATH = "/proc/net/softnet_stat"
_WIDTHS = {9, 10, 11, 13, 15}
_LINE = re.compile(r"[0-9a-f]{8}( [0-9a-f]{8}){8,14}")


def _column(columns: list[int], number: int) -> int | None:
    return columns[number - 1] if number <= len(columns) else None


def _softnet(line: str, row: int) -> Softnet:
    words = line.split()
    if len(words) not in _WIDTHS or not _LINE.fullmatch(line.strip()):
        raise FormatError(f"softnet_stat: unknown number of columns: {line!r}")
    columns = [hexadecimal(word) for word in words]
    cpu = _column(columns, 13)
    return Softnet(
        # older kernels do not say which CPU: rows are the online ones in order, so offline CPUs shift them
        subject=str(row if cpu is None else cpu),
        processed=columns[0],
        dropped=columns[1],
        time_squeeze=columns[2],
        received_rps=_column(columns, 10),
        flow_limit_count=_column(columns, 11),
        backlog_length=_column(columns, 12),
    )


def _parse(_: Request, payload: bytes) -> tuple[Softnet, ...]:
    facts = tuple(_softnet(line, row) for row, line in enumerate(lines_of(payload)))
    if not facts:
        raise FormatError("softnet_stat: no line in it")
    return facts


SOURCE = Source(
    id="softnet_stat",
    facts=(Softnet,),
    requests=always(ReadFile(path=_PATH)),
    answers=reads(_PATH),
    recognizes=lambda text: all(_LINE.fullmatch(line.strip()) for line in lines_of(text) or ("",)),
    parse=_parse,
    sampled=10,
)
