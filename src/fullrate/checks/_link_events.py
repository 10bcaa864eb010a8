"""What happened to an end's link: its carrier, what the kernel's log says of it, what an outage costs."""

from fullrate.checks._common import growth, is_full, link_of, rate, saw
from fullrate.records.facts.kernel_log import KernelLog, KernelMessage, LogEvent
from fullrate.records.facts.link import Link
from fullrate.records.facts.phy import Carrier
from fullrate.records.finding import Evidence
from fullrate.records.trial import Trial
from fullrate.records.units import BitsPerSecond, Seconds
from fullrate.records.view import EndView, View

RECENT: Seconds = 3600.0  # of log lines: older ones tell of another time, a reboot of the switch or a move of the cable
_WALL_CLOCK = 1e9  # seconds; since boot would be 31 years
_DEAD = 0.01  # of the median rate: a sample in which nothing passed


def outage_cost(view: View, trial: Trial) -> BitsPerSecond:
    """The ceiling's part of the time in which nothing passed during a trial. Raises Missing without a ceiling."""
    if not rate(trial) or is_full(view, trial):
        return 0.0
    total = sum(sample.seconds for sample in trial.series)
    dead = sum(sample.seconds for sample in trial.series if sample.throughput < _DEAD * rate(trial))
    return view.ceiling * dead / total if total else 0.0


def carrier_lost(view: View, end: EndView) -> tuple[Trial, Evidence] | None:
    """The first stretch watched in which the carrier went or came, None when it held. Raises Missing when unseen."""
    seen = [(window, window.want(Carrier, link_of(end))) for window in view.stretches(end)]
    deltas = [(window, delta) for window, delta in seen if delta is not None]
    if not deltas:
        raise end.missing(Carrier, link_of(end))
    for window, delta in deltas:
        changes = growth(end, Carrier, delta.before.changes, delta.after.changes)
        if changes:
            return window.trial, saw(delta.source, f"carrier_changes in {delta.seconds:.0f} s", f"+{changes}")
    return None


def logged(end: EndView, *events: LogEvent) -> tuple[KernelMessage, ...]:
    """The recent log lines of some events about the end's link, oldest first; empty also when no log could be read.

    Raises Missing when the log told more than is there.
    """
    link, log = link_of(end), end.want(KernelLog)
    if log is not None and log.messages > len(end.all(KernelMessage)):
        raise end.missing(KernelMessage)
    named = end.want(Link, link)
    names = {link, named.parent_device if named else None} - {None}
    found = [
        message
        for message, seen in end.snapshot.observed(KernelMessage)
        if message.event in events and message.subject in names and _recent(message, log, seen.taken_at)
    ]
    return tuple(dict.fromkeys(found))


def last_words(end: EndView, event: LogEvent, *subjects: str) -> tuple[Evidence, ...]:
    """The newest recent log line of an event about one of these subjects, where there is one, as further evidence.

    It proves nothing by itself: a log is the whole machine's, and may tell of another network namespace.
    """
    log = end.want(KernelLog)
    found = [
        message
        for message, seen in end.snapshot.observed(KernelMessage)
        if message.event is event and message.subject in subjects and _recent(message, log, seen.taken_at)
    ]
    return tuple(line(end, message) for message in found[-1:])


def _recent(message: KernelMessage, log: KernelLog | None, read_at: Seconds) -> bool:
    """A pasted line without a time counts: somebody found it worth showing."""
    if message.time is None:
        return True
    now = read_at if message.time > _WALL_CLOCK else (log.last if log and log.last is not None else message.time)
    return now - message.time <= RECENT


def line(end: EndView, message: KernelMessage) -> Evidence:
    """One log line as evidence."""
    return saw(end.source_of(message), message.event, message.text)
