"""The kernel's protocol counters over a trial."""

from dataclasses import dataclass

from fullrate.checks._common import growth, saw
from fullrate.records.facts.net import ProtocolCounters
from fullrate.records.finding import Evidence
from fullrate.records.view import WindowView


@dataclass(frozen=True, slots=True, kw_only=True)
class Count:
    """How much some counters of the kernel grew during a trial, together and one by one."""

    total: int
    evidence: tuple[Evidence, ...]


def counted(window: WindowView, table: str, *names: str) -> Count:
    """The growth of those counters that this kernel has. Raises Missing when it has none of them, or one went back."""
    delta = window.need(ProtocolCounters, table)
    before, after = delta.before.counters, delta.after.counters
    known = [name for name in names if name in before and name in after]
    if not known:
        raise window.end.missing(ProtocolCounters, table)
    grown = {name: growth(window.end, ProtocolCounters, before[name], after[name]) for name in known}
    evidence = tuple(saw(delta.source, name, f"+{size}") for name, size in grown.items() if size)
    return Count(
        total=sum(grown.values()), evidence=evidence or (saw(delta.source, f"{', '.join(known[:2])}, ...", "+0"),)
    )
