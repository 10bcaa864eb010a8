"""`mpstat -P ALL`: where each CPU's time went; `sar -u` and `sar -P ALL` print the same columns.

    12:31:41 PM  CPU    %usr   %nice    %sys %iowait    %irq   %soft  %steal  %guest  %gnice   %idle
    12:31:42 PM   31    0.00    0.00    0.00    0.00    0.00  100.00    0.00    0.00    0.00    0.00
    Average:     all    1.25    0.00    2.51    0.00    0.00   12.53    0.00    0.00    0.00   83.71

Printed by sysstat's mpstat.c and pr_stats.c; older ones say %user and %system. The averages count where they are
there, otherwise the last line of each CPU. Rows put behind a `#` are read as well. sar without
-u ALL does not tell softirqs apart.
"""

import re
from collections.abc import Iterator

from fullrate.records.errors import FormatError
from fullrate.records.evidence import Request, query
from fullrate.records.facts.processor import CpuShares
from fullrate.records.leaf import Source, no_requests, runs
from fullrate.sources._table import row_of

_COLUMN = r"%(?:usr|user|nice|sys|system|iowait|irq|soft|steal|guest|gnice|idle)"
_HEAD = re.compile(rf"(?P<before>.*?)\bCPU(?P<columns>(?:\s+{_COLUMN})+)(?:\s+intr/s)?\s*")
_OURS = re.compile(rf"^.{{0,40}}\bCPU(\s+{_COLUMN}){{3,}}", re.MULTILINE)
_CPU = re.compile(r"all|\d+")
_AVERAGE = "Average:"


def _share(row: dict[str, float], *names: str) -> float | None:
    found = [row[name] for name in names if name in row]
    return sum(found) if found else None


def _shares(cpu: str, row: dict[str, float]) -> CpuShares:
    idle = _share(row, "idle", "iowait")
    if idle is None:
        raise FormatError("mpstat: no column %idle")
    return CpuShares(
        subject="" if cpu == "all" else cpu,
        busy=max(0.0, min(1.0, 1 - idle)),
        user=_share(row, "usr", "user", "nice", "guest", "gnice"),
        system=_share(row, "sys", "system"),
        softirq=_share(row, "soft", "irq"),
        steal=_share(row, "steal"),
    )


def _rows(text: str) -> Iterator[tuple[bool, str, dict[str, float]]]:
    """Of each row whether it is an average, its CPU, and its columns by their names."""
    names: list[str] = []
    for line in text.splitlines():
        head = _HEAD.fullmatch(line)
        names = head["columns"].replace("%", "").split() if head else names
        cpu, values = row_of(line)
        if head is None and names and _CPU.fullmatch(cpu) and len(values) >= len(names):
            shares = (value / 100 for value in values)
            yield line.lstrip().startswith(_AVERAGE), cpu, dict(zip(names, shares, strict=False))


def parse(_: Request, payload: bytes) -> tuple[CpuShares, ...]:
    """Each CPU's shares, and those of all together. Raises FormatError."""
    found: dict[str, tuple[bool, CpuShares]] = {}
    for average, cpu, row in _rows(payload.decode(errors="replace")):
        if average or not found.get(cpu, (False,))[0]:
            found[cpu] = (average, _shares(cpu, row))
    if not found:
        raise FormatError("mpstat: no CPU below a head with %idle")
    return tuple(shares for _, shares in found.values())


_runs_mpstat = runs("mpstat")
_runs_sar = tuple(runs("sar", option) for option in ("-u", "-P"))

SOURCE = Source(
    id="mpstat",
    facts=(CpuShares,),
    requests=no_requests,
    pasted=lambda _: query("mpstat"),
    answers=lambda request: _runs_mpstat(request) or any(asks(request) for asks in _runs_sar),
    recognizes=lambda text: _OURS.search(text) is not None,
    parse=parse,
)
