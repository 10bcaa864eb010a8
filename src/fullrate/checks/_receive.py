"""The receiver's work: which CPU does it, and whether it can do more."""

from dataclasses import dataclass

from fullrate.checks._common import is_full, rate, saw, without_tcp
from fullrate.checks._cores import core
from fullrate.checks._cpu import SATURATED
from fullrate.checks._pace import at_pace
from fullrate.checks._rules import long_lists
from fullrate.records.facts.cpu import CpuTimes
from fullrate.records.finding import Evidence
from fullrate.records.snapshot import Delta
from fullrate.records.trial import Trial
from fullrate.records.units import BitsPerSecond
from fullrate.records.view import EndView, View

FLOWS = 4  # so many connections can use several queues at once
_MOSTLY = 0.5  # of a CPU's time: with less in softirqs, receiving is not what fills it


@dataclass(frozen=True, slots=True, kw_only=True)
class ReceiveLoad:
    """The CPU that spent most time in softirqs during a trial; shares of its time."""

    cpu: str
    busy: float
    softirq: float
    source: str

    @property
    def saturated(self) -> bool:
        """Whether receiving fills this CPU."""
        return self.busy >= SATURATED and self.softirq >= _MOSTLY

    @property
    def evidence(self) -> Evidence:
        """Both shares."""
        return saw(self.source, f"CPU {self.cpu} busy, in softirqs", f"{self.busy:.0%}, {self.softirq:.0%}")


def receive_load(view: View, trial: Trial, end: EndView | None = None) -> ReceiveLoad:
    """The busiest CPU of the receiver (of another end, when given), by softirqs. Raises Missing."""
    end = end or view.receiver
    loads = [load for delta in view.window(trial, end).deltas(CpuTimes) if (load := _load(delta)) is not None]
    if not loads:
        raise end.missing(CpuTimes)
    return max(loads, key=lambda load: load.softirq)


def _load(delta: Delta[CpuTimes]) -> ReceiveLoad | None:
    busy, total = delta.after.busy - delta.before.busy, delta.after.total - delta.before.total
    softirq = delta.after.softirq - delta.before.softirq
    if not delta.after.subject or total <= 0 or not 0 <= softirq <= busy <= total:
        return None
    return ReceiveLoad(cpu=delta.after.subject, busy=busy / total, softirq=softirq / total, source=delta.source)


def main_trial(view: View) -> Trial:
    """The trial to judge: TCP, or UDP when nothing else was sent. Raises Missing."""
    return view.trial("udp") if without_tcp(view) else view.trial()


def limited(view: View) -> tuple[Trial, ReceiveLoad] | None:
    """The trial of several flows in which receiving filled a CPU and not the link; None when one flow shows no limit.

    One flow is handled by one CPU at a time whatever the queues do; so several must be held back too before queues or
    interrupts are to blame; nor are they when every packet walks a long list of filter rules. Raises Missing,
    which asks for that trial only after one flow was held back.
    """
    if view.alone:
        return None
    single, end = main_trial(view), view.receiver
    if not receive_load(view, single).saturated or is_full(view, single):
        return None
    if single.spec.protocol == "udp" and at_pace(view, single, end):
        return None
    if long_lists(view, single, end, core(view, single, end)):
        return None
    several = view.trial(single.spec.protocol, FLOWS)
    load = receive_load(view, several)
    return (several, load) if load.saturated and not is_full(view, several) else None


def cpu_cost(view: View, trial: Trial, load: ReceiveLoad) -> BitsPerSecond:
    """The ceiling minus what this CPU would hold with its last tick."""
    return max(0.0, view.ceiling - min(view.ceiling, rate(trial) / load.busy))
