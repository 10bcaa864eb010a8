"""/proc/net/ip_tables_names and ip6_tables_names: the tables of legacy iptables in this network namespace.

    mangle
    filter

One name a line, none where no table was ever used (net/netfilter/x_tables.c, xt_table_seq_show). nft does not see the
rules of these tables; who asks iptables-legacy for a table that is not listed here makes the kernel create it.
"""

from fullrate.records.errors import FormatError
from fullrate.records.evidence import ReadFile, Request
from fullrate.records.facts.net import FilterTables
from fullrate.records.leaf import Source, always, reads

_TABLES = frozenset({"filter", "mangle", "nat", "raw", "security"})
_PROGRAMS = {"/proc/net/ip_tables_names": "iptables", "/proc/net/ip6_tables_names": "ip6tables"}
_PATHS = tuple(_PROGRAMS)


def parse(request: Request, payload: bytes) -> tuple[FilterTables, ...]:
    """The tables of one family; empty when it has none. Raises FormatError."""
    names = payload.decode(errors="replace").split()
    if not isinstance(request, ReadFile) or not _TABLES.issuperset(names):
        raise FormatError(f"not the names of iptables' tables: {payload[:80]!r}")
    return (FilterTables(subject=_PROGRAMS[request.path], tables=tuple(names)),)


SOURCE = Source(
    id="iptables_tables",
    facts=(FilterTables,),
    requests=always(*(ReadFile(path=path) for path in _PATHS)),
    answers=reads(*_PATHS),
    recognizes=lambda text: bool(text.split()) and _TABLES.issuperset(text.split()),
    parse=parse,
)
