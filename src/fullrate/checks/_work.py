"""Who uses the CPU that holds an end back: the threads of the test and those of others."""

from collections.abc import Iterable
from dataclasses import dataclass

from fullrate.checks._cores import Core
from fullrate.checks._cpu import one_kernel
from fullrate.records.facts.processor import RunningThread, ThreadTimes
from fullrate.records.snapshot import Delta
from fullrate.records.trial import Trial
from fullrate.records.view import EndView, View, WindowView

TICKS = 100  # USER_HZ, a second: the same on every architecture that runs servers (proc(5), sysconf(_SC_CLK_TCK))
# softirqs that the kernel moves into threads: part of the work that is measured, no strangers
_SOFTIRQ_THREADS = ("ksoftirqd/", "napi/", "backlog_napi/")


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
