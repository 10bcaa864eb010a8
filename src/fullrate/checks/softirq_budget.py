"""Polling ends with packets left because its budget is used up, and the NIC's ring overflows meanwhile.

A round of softirqs handles net.core.netdev_budget packets or lasts netdev_budget_usecs, whichever ends first; with work
left, time_squeeze counts it (net/core/dev.c, net_rx_action; Documentation/admin-guide/sysctl/net.rst). By itself that
is harmless: the next round follows. It matters only where the ring drops and the CPU is not full anyway.
"""

from fullrate.checks._common import clear, growth, is_full, link_delta, link_of, measured, problem, saw
from fullrate.checks._cores import main_trial
from fullrate.checks._count_glance import squeezed
from fullrate.checks._cpu import SATURATED, cpu_loads
from fullrate.checks._received import MATTERS, drops_cost
from fullrate.records.facts.cpu import CpuTimes, Softnet
from fullrate.records.facts.ethtool import NicCounters
from fullrate.records.facts.link import LinkCounters
from fullrate.records.facts.net import Sysctl
from fullrate.records.finding import Confidence, Evidence, Finding, Remedy
from fullrate.records.leaf import Check, Per
from fullrate.records.recipe import matching
from fullrate.records.snapshot import Delta, increase
from fullrate.records.trial import Trial
from fullrate.records.view import EndView, View

CAUSE = "softirq-budget"
_KEYS = ("net.core.netdev_budget", "net.core.netdev_budget_usecs")


def diagnose(view: View) -> Finding:
    """Whether the receiver's softirq budget makes its ring overflow."""
    trial, end = main_trial(view), view.receiver
    deltas = view.window(trial, end).deltas(Softnet)
    if not deltas:
        raise end.missing(Softnet)
    worst = max(deltas, key=_squeezed)
    evidence = [saw(worst.source, f"time_squeeze of CPU {worst.after.subject}", f"+{_squeezed(worst)}")]
    if not _squeezed(worst):
        return clear(CAUSE, "polling never ended with work left", evidence, end=end.end)
    dropped = _ring_drops(view, trial, end, evidence)
    if not dropped or is_full(view, trial):
        return clear(CAUSE, "polling ended with work left, and nothing was lost by it", evidence, end=end.end)
    return _judge(view, trial, worst.after.subject, dropped, [*evidence, measured(trial)])


def _squeezed(delta: Delta[Softnet]) -> int:
    return increase(delta.before.time_squeeze, delta.after.time_squeeze) or 0


def _ring_drops(view: View, trial: Trial, end: EndView, evidence: list[Evidence]) -> int:
    """By the driver's own counters where its recipe names them, else by the link's. Raises Missing."""
    link, recipe = link_of(end), view.recipe(end)
    if recipe is not None and recipe.ring_full:
        seen = view.window(trial, end).need(NicCounters, link)
        before, after = seen.before.counters, seen.after.counters
        names = matching(after, recipe.ring_full)
        dropped = sum(increase(before.get(name, 0), after[name]) or 0 for name in names)
        evidence.append(saw(seen.source, ", ".join(names), f"+{dropped}"))
        return dropped
    delta = link_delta(view, trial, end)
    dropped = growth(end, LinkCounters, delta.before.rx_dropped, delta.after.rx_dropped)
    evidence.append(saw(delta.source, f"{link} rx_dropped", f"+{dropped}"))
    return dropped


def _judge(view: View, trial: Trial, cpu: str, dropped: int, evidence: list[Evidence]) -> Finding:
    end = view.receiver
    loads = cpu_loads(view.window(trial, end), {cpu})
    if not loads:
        raise end.missing(CpuTimes, cpu)
    evidence.append(saw(loads[0].source, f"CPU {cpu} busy", f"{loads[0].busy:.0%}"))
    if loads[0].busy >= SATURATED:
        return clear(CAUSE, f"CPU {cpu} is full: a larger budget gives it no time", evidence, end=end.end)
    price = drops_cost(view, trial, dropped)
    if price < MATTERS * view.ceiling:
        return clear(CAUSE, f"{dropped} packets overflowed the ring, at no cost", evidence, end=end.end)
    return problem(
        CAUSE,
        f"CPU {cpu} stops polling with packets left, {dropped} overflow the ring of {end.interface}",
        evidence,
        end=end.end,
        subject=_KEYS[0],
        confidence=Confidence.MEDIUM,
        costs_bps=price,
        remedies=tuple(_double(end, end.need(Sysctl, key)) for key in _KEYS),
    )


def _double(end: EndView, setting: Sysctl) -> Remedy:
    if not setting.numbers:
        raise end.missing(Sysctl, setting.subject)
    key, value = setting.subject, 2 * setting.numbers[0]
    return Remedy(
        knob=f"sysctl.{key}",
        subject=key,
        value=str(value),
        end=end.end,
        commands=(f"sysctl -w {key}={value}",),
        undo=(f"sysctl -w {key}={setting.value}",),
        note="longer rounds keep other work on that CPU waiting",
    )


def glance(view: View) -> Finding | None:
    """The rounds that ended with packets left."""
    return squeezed(view, CAUSE)


CHECK = Check(id=CAUSE, cause=CAUSE, diagnose=diagnose, per=Per.NIC, glance=glance)
