"""The CPU that holds an end back, where its time went, and what a whole one would carry."""

from collections.abc import Callable
from dataclasses import dataclass

from fullrate.checks._common import clear, is_full, measured, rate, saw, without_tcp, worst
from fullrate.checks._cpu import SATURATED, busiest_cpu
from fullrate.checks._pace import at_pace
from fullrate.records.facts.cpu import CpuTimes
from fullrate.records.facts.processor import ThreadTimes
from fullrate.records.finding import Evidence, Finding
from fullrate.records.trial import Trial
from fullrate.records.units import BitsPerSecond
from fullrate.records.view import EndView, View, WindowView

# Of a CPU. A program that shares one with a stranger waits though a few ticks are idle: 90 % busy, and the receiving
# program waited for 84 % of the time (measured, a real-time loop of 20 ms in 24).
_NEARLY = 0.75
_WAITED = 0.3  # of the time: alone on a CPU a program waits for under 3 % of it
_LEAST = 0.05  # of a CPU: never extrapolate a rate beyond twenty times what was seen


@dataclass(frozen=True, slots=True, kw_only=True)
class Core:
    """Where one CPU's time went during a trial, as shares of it; `softirq` holds hard interrupts too."""

    cpu: str
    busy: float
    softirq: float
    user: float
    system: float
    steal: float
    source: str

    @property
    def evidence(self) -> Evidence:
        """The shares as read."""
        parts = f"softirq {self.softirq:.0%}, system {self.system:.0%}, user {self.user:.0%}, steal {self.steal:.0%}"
        return saw(self.source, f"CPU {self.cpu} busy", f"{self.busy:.0%}: {parts}")


def core(view: View, trial: Trial, end: EndView) -> Core:
    """The busiest CPU of one end. Raises Missing when it cannot be told."""
    load = busiest_cpu(view, trial, end)
    delta = view.window(trial, end).need(CpuTimes, load.cpu)
    before, after = delta.before, delta.after
    total = after.total - before.total
    return Core(
        cpu=load.cpu,
        busy=load.busy,
        softirq=(after.softirq - before.softirq + after.irq - before.irq) / total,
        user=(after.user - before.user + after.nice - before.nice) / total,
        system=(after.system - before.system) / total,
        steal=(after.steal - before.steal) / total,
        source=load.source,
    )


def limit(view: View, trial: Trial, end: EndView) -> Core | None:
    """The saturated CPU that holds one end back; None when the link is full or no CPU is. Raises Missing.

    UDP does not wait for a slow receiver: there an end is held back only by what it did not send, or did not take.
    """
    if is_full(view, trial) or (trial.spec.protocol == "udp" and at_pace(view, trial, end)):
        return None
    return exhausted(view, trial, end)


def exhausted(view: View, trial: Trial, end: EndView) -> Core | None:
    """The busiest CPU when it is full, or nearly so and the traffic program stood in line for it. Raises Missing."""
    found = core(view, trial, end)
    if found.busy >= SATURATED:
        return found
    return found if found.busy >= _NEARLY and _queued(view.window(trial, end), found.cpu) else None


def _queued(window: WindowView, cpu: str) -> bool:
    """Whether a thread of the program could run there for much of the time and had to wait. Raises Missing."""
    threads = [delta for delta in window.deltas(ThreadTimes) if delta.seconds > 0]
    if not threads:
        raise window.end.missing(ThreadTimes)
    waits = (
        (delta.after.waited - delta.before.waited) / delta.seconds
        for delta in threads
        if str(delta.after.last_cpu) == cpu and delta.after.waited is not None and delta.before.waited is not None
    )
    return any(wait >= _WAITED for wait in waits)


def at_ease(cause: str, view: View, trial: Trial, end: EndView) -> Finding:
    """The clear verdict where no CPU is the limit."""
    if is_full(view, trial):
        return clear(cause, "the link is full: no CPU is the limit", [measured(trial)])
    if trial.spec.protocol == "udp" and at_pace(view, trial, end):
        words = f"the {end.end} end sends and takes all the datagrams it is to: no CPU holds it back"
        return clear(cause, words, [measured(trial)], end=end.end)
    found = core(view, trial, end)
    return clear(cause, f"no CPU of the {end.end} end is saturated", [found.evidence, measured(trial)], end=end.end)


def of_both(view: View, judge: Callable[[View, Trial, EndView], Finding]) -> Finding:
    """The worse verdict of the two ends. Raises Missing."""
    trial = main_trial(view)
    return worst(lambda: judge(view, trial, view.sender), lambda: judge(view, trial, view.receiver))


def main_trial(view: View) -> Trial:
    """The trial to judge: TCP, or UDP where nothing else was sent. Raises Missing."""
    return view.trial("udp") if without_tcp(view) else view.trial()


def gain(view: View, trial: Trial, share: float) -> BitsPerSecond:
    """What the test would carry more if the share of a CPU that it has now were a whole one."""
    return max(0.0, min(view.ceiling, rate(trial) / max(_LEAST, share)) - rate(trial))


def cost(view: View, trial: Trial, found: Core) -> BitsPerSecond:
    """What lies above all that a saturated CPU can carry with its last tick."""
    return view.ceiling - min(view.ceiling, rate(trial) / found.busy)
