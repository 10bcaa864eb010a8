"""The physical side of an end: its wires, what the driver counts of them, what the kernel's log says of a link."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial

from fullrate.checks._common import growth, is_full, link_delta, link_of, not_applicable, rate, saw, worst
from fullrate.checks._loss import cost, loss
from fullrate.records.evidence import Status
from fullrate.records.facts.base import Fact
from fullrate.records.facts.ethtool import DriverInfo, NicCounters
from fullrate.records.facts.kernel_log import KernelLog, KernelMessage, LogEvent
from fullrate.records.facts.link import Link, LinkCounters
from fullrate.records.facts.phy import Carrier
from fullrate.records.finding import Evidence, Finding
from fullrate.records.recipe import Recipe, matching
from fullrate.records.trial import Trial
from fullrate.records.units import BitsPerSecond, Seconds
from fullrate.records.view import EndView, Missing, View, WindowView

Meaning = Callable[[Recipe], tuple[str, ...]]

RECENT: Seconds = 3600.0  # of log lines: older ones tell of another time, a reboot of the switch or a move of the cable
_STACKED = {"vlan", "macvlan", "ipvlan", "macsec"}
_BUNDLES = {"bond", "team"}
_WALL_CLOCK = 1e9  # seconds; since boot would be 31 years
_DEAD = 0.01  # of the median rate: a sample in which nothing passed


def on_wires(view: View, cause: str, end: EndView, judge: Callable[[EndView], Finding]) -> Finding:
    """The worst of the physical links below an end's link; not applicable when there is none. Raises Missing."""
    found = wires(view, end)
    if not found:
        return not_applicable(cause, f"{link_of(end)} is virtual: it has no wire", end=end.end, subject=link_of(end))
    return worst(*(partial(judge, wire) for wire in found))


def wires(view: View, end: EndView) -> tuple[EndView, ...]:
    """An end once for each physical link its link under test runs on: itself, a VLAN's, a bond's. Raises Missing."""
    found = [replace(end, interface=name) for name in _below(end, link_of(end), frozenset())]
    return tuple(wire for wire in found if not _virtual(view, wire))


def _below(end: EndView, name: str, above: frozenset[str]) -> Iterator[str]:
    link = end.need(Link, name)
    if name == "lo" or name in above:
        return
    if link.kind is None:
        yield name
    elif link.kind in _BUNDLES:
        for member in dict.fromkeys(each.subject for each in end.all(Link) if each.master == name):
            yield from _below(end, member, above | {name})
    elif link.kind in _STACKED and link.lower:
        yield from _below(end, link.lower, above | {name})


def _virtual(view: View, end: EndView) -> bool:
    recipe = view.recipe(end)
    return recipe is not None and recipe.label_speed


def lacks(end: EndView, kind: type[Fact]) -> bool:
    """Whether driver, kernel or tool said that they do not offer what would tell this of the link."""
    return any(gap.status is Status.UNSUPPORTED and link_of(end) in gap.tried.split() for gap in end.gaps(kind))


@dataclass(frozen=True, slots=True, kw_only=True)
class Count:
    """How much the counters of one meaning grew together, and in which time."""

    grown: int
    seconds: Seconds
    evidence: Evidence


def counted(window: WindowView, recipe: Recipe | None, meaning: Meaning) -> Count | None:
    """What the driver's counters of one meaning did; None for a driver that has none. Raises Missing."""
    patterns = () if recipe is None else meaning(recipe)
    if not patterns:
        return None
    delta = window.need(NicCounters, link_of(window.end))
    before, after = delta.before.counters, delta.after.counters
    rows = {name: growth(window.end, NicCounters, before.get(name), after[name]) for name in matching(after, patterns)}
    if not rows:
        return None
    names = [name for name, grown in rows.items() if grown] or list(rows)[:1]
    total = sum(rows.values())
    return Count(grown=total, seconds=delta.seconds, evidence=saw(delta.source, ", ".join(names), f"+{total}"))


def damaged(view: View, trial: Trial, end: EndView) -> Count:
    """The frames that arrived damaged, by the driver's counters or the kernel's, whichever saw more. Raises Missing."""
    window = view.window(trial, end)
    end.need(DriverInfo, link_of(end))
    own = counted(window, view.recipe(end), lambda recipe: recipe.damaged)
    delta = window.need(Carrier, link_of(end))
    pairs = [
        (delta.before.crc_errors, delta.after.crc_errors),
        (delta.before.frame_errors, delta.after.frame_errors),
    ]
    total = sum(growth(end, Carrier, before, after) for before, after in pairs)
    evidence = saw(delta.source, "rx_crc_errors and rx_frame_errors", f"+{total}")
    kernel = Count(grown=total, seconds=delta.seconds, evidence=evidence)
    return kernel if own is None or kernel.grown > own.grown else own


def share_of_received(view: View, trial: Trial, end: EndView, lost: int) -> float:
    """Lost frames in proportion to all that came to an end's link during a trial. Raises Missing."""
    delta = link_delta(view, trial, end)
    received = growth(end, LinkCounters, delta.before.rx_packets, delta.after.rx_packets)
    return lost / (received + lost) if received + lost else 0.0


def loss_cost(view: View, trial: Trial, ratio: float) -> BitsPerSecond:
    """What losing this share of its packets takes from a direction; nothing when it is full, or no TCP was seen."""
    if is_full(view, trial):
        return 0.0
    try:
        return cost(view, trial, loss(view, trial), ratio)
    except Missing:
        return 0.0


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


def _recent(message: KernelMessage, log: KernelLog | None, read_at: Seconds) -> bool:
    """A pasted line without a time counts: somebody found it worth showing."""
    if message.time is None:
        return True
    now = read_at if message.time > _WALL_CLOCK else (log.last if log and log.last is not None else message.time)
    return now - message.time <= RECENT


def line(end: EndView, message: KernelMessage) -> Evidence:
    """One log line as evidence."""
    return saw(end.source_of(message), message.event, message.text)
