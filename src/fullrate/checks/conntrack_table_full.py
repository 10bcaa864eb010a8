"""The table of tracked connections is full: the kernel refuses packets of new ones, or throws old ones out.

It counts its victims for each CPU: `drop`, and `early_drop` for entries removed to make room (conntrack(8), -S;
net/netfilter/nf_conntrack_core.c, __nf_conntrack_alloc). A connection that is tracked already keeps its rate.
"""

from fullrate.checks._common import clear, growth, not_applicable, problem, saw
from fullrate.checks._glance import again, suspect
from fullrate.checks._link_events import last_words
from fullrate.records.evidence import Status
from fullrate.records.facts.kernel_log import LogEvent
from fullrate.records.facts.limits import ConntrackCounters, ConntrackLimit
from fullrate.records.finding import Confidence, Evidence, Finding, Remedy
from fullrate.records.leaf import Check, Per
from fullrate.records.view import EndView, View

CAUSE = "conntrack-table-full"
_NEARLY = 0.95  # of the entries: the next burst of connections is refused
_KEY = "net.netfilter.nf_conntrack_max"
_LARGER = 2  # times the limit found


def diagnose(view: View) -> Finding:
    """Whether this end's connection table is full, or nearly so."""
    end = view.here
    if any(gap.status is Status.ABSENT for gap in end.gaps(ConntrackCounters)):
        return not_applicable(CAUSE, "this kernel tracks no connections", end=end.end)
    table, limit = end.need(ConntrackCounters), end.need(ConntrackLimit)
    if table.entries is None:
        raise end.missing(ConntrackCounters)
    refused, evidence = _refused(view, end)
    evidence.append(saw(end.source_of(table), "entries", f"{table.entries} of {limit.entries}"))
    if refused:
        why = "the table of tracked connections is full: packets of new connections are refused"
        return _problem(end, limit, why, evidence, Confidence.HIGH)
    if table.entries >= _NEARLY * limit.entries:
        why = f"the table of tracked connections is all but full: {table.entries} of {limit.entries}"
        return _problem(end, limit, why, evidence, Confidence.MEDIUM)
    return clear(CAUSE, "the table of tracked connections has room", evidence, end=end.end)


def _refused(view: View, end: EndView) -> tuple[int, list[Evidence]]:
    """How often there was no room while we watched."""
    total, evidence = 0, []
    for window in view.stretches(end):
        for delta in window.deltas(ConntrackCounters):
            before, after = delta.before, delta.after
            dropped = growth(end, ConntrackCounters, before.dropped, after.dropped)
            early = growth(end, ConntrackCounters, before.early_dropped, after.early_dropped)
            if dropped or early:
                evidence.append(saw(delta.source, "drop, early_drop", f"+{dropped}, +{early}"))
            total += dropped + early
    return total, evidence


def _problem(end: EndView, limit: ConntrackLimit, why: str, evidence: list[Evidence], sure: Confidence) -> Finding:
    most = _LARGER * limit.entries
    remedy = Remedy(
        knob=f"sysctl.{_KEY}",
        subject=_KEY,
        value=str(most),
        end=end.end,
        commands=(f"sysctl -w {_KEY}={most}",),
        undo=(f"sysctl -w {_KEY}={limit.entries}",),
        note="an entry takes about 300 bytes; or track less: a rule `notrack` for what needs no state",
    )
    evidence += last_words(end, LogEvent.CONNTRACK_FULL, "")
    return problem(CAUSE, why, evidence, end=end.end, subject=_KEY, confidence=sure, remedies=(remedy,))


def glance(view: View) -> Finding | None:
    """That the kernel logged or counted packets refused for want of an entry."""
    end = view.here
    logged = last_words(end, LogEvent.CONNTRACK_FULL, "")
    if logged:
        words = "the table of tracked connections was full: the kernel's log says that it dropped packets"
        return suspect(view, CAUSE, words, logged, subject=_KEY, confidence=Confidence.HIGH)
    table = end.want(ConntrackCounters)
    if table is None or not table.dropped:
        return None
    seen = saw(end.source_of(table), "drop since boot", table.dropped)
    words = f"connection tracking dropped {table.dropped:,} packets for want of an entry, since boot"
    return suspect(view, CAUSE, words, [seen], subject=_KEY, asks=again(view, "conntrack -S", f"sysctl {_KEY}"))


CHECK = Check(id=CAUSE, cause=CAUSE, diagnose=diagnose, per=Per.END, glance=glance)
