"""The CPU that holds an end back, who uses it, and what it would carry without them."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from fullrate.checks._common import clear, is_full, measured, rate, saw, without_tcp, worst
from fullrate.checks._cpu import SATURATED, busiest_cpu
from fullrate.records.ends import End
from fullrate.records.facts.cpu import CpuTimes
from fullrate.records.facts.net import HostIdentity
from fullrate.records.facts.processor import RunningThread, ThreadTimes
from fullrate.records.finding import Evidence, Finding
from fullrate.records.snapshot import Delta
from fullrate.records.trial import Trial
from fullrate.records.units import BitsPerSecond
from fullrate.records.view import EndView, View, WindowView

TICKS = 100  # USER_HZ, a second: the same on every architecture that runs servers (proc(5), sysconf(_SC_CLK_TCK))
_LEAST = 0.05  # of a CPU: never extrapolate a rate beyond twenty times what was seen
# softirqs that the kernel moves into threads: part of the work that is measured, no strangers
_SOFTIRQ_THREADS = ("ksoftirqd/", "napi/", "backlog_napi/")


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
    """The saturated CPU that holds one end back; None when the link is full or no CPU is. Raises Missing."""
    if is_full(view, trial):
        return None
    found = core(view, trial, end)
    return found if found.busy >= SATURATED else None


def at_ease(cause: str, view: View, trial: Trial, end: EndView) -> Finding:
    """The clear verdict where no CPU is the limit."""
    if is_full(view, trial):
        return clear(cause, "the link is full: no CPU is the limit", [measured(trial)])
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """What one thread did with a CPU during a trial, as shares of one CPU."""

    tid: str
    pid: int
    name: str
    cpu: int
    share: float
    user: float
    stayed: bool  # on the same CPU at both readings
    source: str
    waited: float | None = None  # share of the time it could run and had no CPU; None: not counted


def program_work(window: WindowView) -> tuple[Work, ...]:
    """What each thread of an end's traffic program did, the busiest first. Raises Missing when none was seen twice."""
    deltas = [delta for delta in window.deltas(ThreadTimes) if delta.seconds > 0]
    if not deltas:
        raise window.end.missing(ThreadTimes)
    return tuple(sorted(map(_work, deltas), key=lambda work: -work.share))


def _work(delta: Delta[ThreadTimes]) -> Work:
    before, after, ticks = delta.before, delta.after, delta.seconds * TICKS
    user, system = max(0, after.user - before.user), max(0, after.system - before.system)
    return Work(
        tid=after.subject,
        pid=after.pid,
        name=after.name,
        cpu=after.last_cpu,
        share=(user + system) / ticks,
        user=user / ticks,
        stayed=before.last_cpu == after.last_cpu,
        source=delta.source,
        waited=None
        if before.waited is None or after.waited is None
        else max(0.0, after.waited - before.waited) / delta.seconds,
    )


def wants(view: View, trial: Trial, end: EndView, found: Core, least: float) -> bool:
    """Whether the test wanted so much of a CPU: its softirqs, and its threads running or waiting. Raises Missing.

    A flow that something else holds back wants little of a CPU that others fill.
    """
    work = program_work(view.window(trial, end))
    here = [one for one in work if str(one.cpu) == found.cpu or not one.stayed]
    wanted = found.softirq + sum(one.share + (one.waited or 0.0) for one in here)
    if wanted < least and any(one.waited is None for one in here):
        raise end.missing(ThreadTimes)
    return wanted >= least


def strangers(view: View, trial: Trial, end: EndView, cpu: str) -> tuple[Work, ...]:
    """Threads of others that ran on one CPU at both readings, the busiest first. Raises Missing without a list."""
    window = view.window(trial, end)
    deltas = window.deltas(RunningThread)
    if not deltas:
        raise end.missing(RunningThread)
    ours = {work.pid for one in _sharing(view, trial, end) for work in program_work(one)}
    found = [
        _rough(delta)
        for delta in deltas
        if delta.seconds > 0 and delta.after.pid not in ours and not delta.after.name.startswith(_SOFTIRQ_THREADS)
    ]
    return tuple(sorted((work for work in found if work.stayed and str(work.cpu) == cpu), key=lambda work: -work.share))


def _rough(delta: Delta[RunningThread]) -> Work:
    before, after = delta.before, delta.after
    return Work(
        tid=after.subject,
        pid=after.pid,
        name=after.name,
        cpu=after.cpu,
        share=max(0, after.seconds - before.seconds) / delta.seconds,
        user=0.0,
        stayed=before.cpu == after.cpu,
        source=delta.source,
    )


def _sharing(view: View, trial: Trial, end: EndView) -> Iterable[WindowView]:
    """The windows of the ends whose programs run on an end's CPUs: two ends on one kernel share them."""
    ends = list(view.ends.values()) if one_kernel(view) else [end]
    return [view.window(trial, one) for one in ends]


def foreign_user(view: View, trial: Trial, end: EndView, found: Core) -> float:
    """The share of a CPU that others' programs took in user mode. Raises Missing."""
    ours = [work for window in _sharing(view, trial, end) for work in program_work(window)]
    return max(0.0, found.user - sum(work.user for work in ours if str(work.cpu) == found.cpu))


def one_kernel(view: View) -> bool:
    """Whether both ends run on one kernel. Raises Missing when it cannot be told."""
    return boot_id(view.end(End.NEAR)) == boot_id(view.end(End.FAR))


def boot_id(end: EndView) -> str:
    """Which running kernel an end is. Raises Missing."""
    found = next((fact.boot_id for fact in end.all(HostIdentity) if fact.boot_id), None)
    if found is None:
        raise end.missing(HostIdentity)
    return found
