"""/proc/net/sockstat: how much memory sockets use.

    sockets: used 56
    TCP: inuse 1 orphan 0 tw 4 alloc 10 mem 1506
    UDP: inuse 0 mem 135

Written by net/ipv4/proc.c, sockstat_seq_show: `mem` is in pages and of the whole kernel, IPv6 included; `inuse` is of
this network namespace.
"""

import re

from fullrate.records.errors import FormatError
from fullrate.records.evidence import ReadFile, Request
from fullrate.records.facts.limits import SocketMemory
from fullrate.records.leaf import Source, always, reads
from fullrate.records.parsing import whole

_PATH = "/proc/net/sockstat"
_MEMORY = re.compile(r"^(TCP|UDP): .*\bmem (\d+)$", re.MULTILINE)
_HEAD = re.compile(r"^sockets: used \d+$", re.MULTILINE)


def _parse(_: Request, payload: bytes) -> tuple[SocketMemory, ...]:
    pages = dict(_MEMORY.findall(payload.decode(errors="replace")))
    if pages.keys() != {"TCP", "UDP"}:
        raise FormatError("/proc/net/sockstat: no memory of TCP and UDP in it")
    return (SocketMemory(tcp_pages=whole(pages["TCP"]), udp_pages=whole(pages["UDP"])),)


SOURCE = Source(
    id="sockstat",
    facts=(SocketMemory,),
    requests=always(ReadFile(path=_PATH)),
    answers=reads(_PATH),
    recognizes=lambda text: _HEAD.search(text) is not None and _MEMORY.search(text) is not None,
    parse=_parse,
    sampled=1,
)
