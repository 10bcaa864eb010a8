"""The physical side of an end: its wires, what the driver counts of them, what lost frames cost."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

from fullrate.checks._common import growth, is_full, link_delta, link_of, not_applicable, saw, worst
from fullrate.checks._given import is_device
from fullrate.checks._loss import cost, loss
from fullrate.records.evidence import Status
from fullrate.records.facts.base import Fact
from fullrate.records.facts.ethtool import DriverInfo, NicCounters
from fullrate.records.facts.link import Link, LinkCounters, wires_below
from fullrate.records.facts.phy import Carrier
from fullrate.records.finding import Evidence, Finding
from fullrate.records.recipe import Recipe, matching
from fullrate.records.trial import Trial
from fullrate.records.units import BitsPerSecond, Seconds
from fullrate.records.view import EndView, Missing, View, WindowView

Meaning = Callable[[Recipe], tuple[str, ...]]


def on_wires(view: View, cause: str, end: EndView, judge: Callable[[EndView], Finding]) -> Finding:
    """The worst of the physical links below an end's link; not applicable when there is none. Raises Missing."""
    found = wires(view, end)
    if not found:
        return not_applicable(cause, f"{link_of(end)} is virtual: it has no wire", end=end.end, subject=link_of(end))
    return worst(*(partial(judge, wire) for wire in found))


def wires(view: View, end: EndView) -> tuple[EndView, ...]:
    """An end once for each physical link its link under test runs on: itself, a VLAN's, a bond's. Raises Missing."""
    if is_device(end, link_of(end)):
        return () if _virtual(view, end) else (end,)
    end.need(Link, link_of(end))
    found = [replace(end, interface=name) for name in wires_below(end.all(Link), link_of(end))]
    return tuple(wire for wire in found if not _virtual(view, wire))


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
