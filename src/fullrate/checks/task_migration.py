"""The traffic thread wanders between NUMA nodes and the rate swings with it.

The scheduler balances load over the whole machine; data and caches stay behind (Documentation/scheduler/
sched-domains.rst). Shown by a rate that falls and comes back without loss and without a full CPU, while the thread was
seen on two nodes. It can only be made likely: pinned to one node, the rate must hold.
"""

from fullrate.checks._common import clear, is_full, measured, not_applicable, problem, rate, saw
from fullrate.checks._cores import core, main_trial
from fullrate.checks._cpu import SATURATED
from fullrate.checks._loss import NOTABLE
from fullrate.records.facts.processor import CpuPlace, ThreadTimes
from fullrate.records.finding import Confidence, Evidence, Finding
from fullrate.records.leaf import Check
from fullrate.records.snapshot import Delta
from fullrate.records.trial import Trial
from fullrate.records.units import BitsPerSecond
from fullrate.records.view import EndView, View

CAUSE = "task-migration"
_UPPER = 0.9  # of the samples after the warm-up: what the flow carries while the thread is well placed


def diagnose(view: View) -> Finding:
    """Whether the rate swings while a traffic thread changes its node."""
    trial = main_trial(view)
    evidence = [measured(trial), saw(f"trial/{trial.id}", "steady", trial.steady)]
    if trial.steady is not False or is_full(view, trial):
        return clear(CAUSE, "the rate does not swing, or the link is full", evidence)
    if (trial.retransmit_ratio or 0.0) >= NOTABLE:
        return clear(CAUSE, "the rate swings with packet loss", evidence)
    ends = [end for end in (view.sender, view.receiver) if len(_nodes(end)) > 1]
    if not ends:
        return not_applicable(CAUSE, "all CPUs of either end are in one node")
    return _judge(view, trial, ends, evidence)


def _nodes(end: EndView) -> set[int]:
    places = end.all(CpuPlace)
    if not places:
        raise end.missing(CpuPlace)
    return {place.node for place in places if place.node is not None}


def _judge(view: View, trial: Trial, ends: list[EndView], evidence: list[Evidence]) -> Finding:
    if any(core(view, trial, end).busy >= SATURATED for end in (view.sender, view.receiver)):
        return clear(CAUSE, "the rate swings, and a CPU is full", evidence)
    moved = [(end, delta) for end in ends for delta in _moved(view, trial, end)]
    if not moved:
        return clear(CAUSE, "the rate swings, but no traffic thread was seen on two nodes", evidence)
    end, delta = moved[0]
    evidence.append(
        saw(delta.source, f"thread {delta.after.subject} CPU", f"{delta.before.last_cpu}, later {delta.after.last_cpu}")
    )
    return problem(
        CAUSE,
        f"{delta.after.name} moved from CPU {delta.before.last_cpu} to {delta.after.last_cpu} in another node,"
        " and the rate swings",
        evidence,
        end=end.end,
        subject=delta.after.name,
        confidence=Confidence.LOW,
        costs_bps=_cost(view, trial),
    )


def _moved(view: View, trial: Trial, end: EndView) -> list[Delta[ThreadTimes]]:
    deltas = view.window(trial, end).deltas(ThreadTimes)
    if not deltas:
        raise end.missing(ThreadTimes)
    node = {int(place.subject): place.node for place in end.all(CpuPlace)}
    return [delta for delta in deltas if node.get(delta.before.last_cpu) != node.get(delta.after.last_cpu)]


def _cost(view: View, trial: Trial) -> BitsPerSecond:
    """Its good moments against its mean."""
    first = trial.series[0].at - trial.series[0].seconds if trial.series else 0.0
    rates = sorted(sample.throughput for sample in trial.series if sample.at - first > trial.warm_up)
    good = rates[round((len(rates) - 1) * _UPPER)] if rates else 0.0
    return max(0.0, min(view.ceiling, good) - rate(trial))


CHECK = Check(id=CAUSE, cause=CAUSE, diagnose=diagnose)
