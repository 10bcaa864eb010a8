"""The special ways in which a CPU is the limit, by who shares it: the receive path, a hog, a neighbour, NAPI threads.

The general checks yield to them.
"""

from dataclasses import dataclass

from fullrate.checks._common import link_of
from fullrate.checks._cores import Core
from fullrate.checks._cpu import cpu_loads
from fullrate.checks._work import Work, foreign_user, program_work, strangers, wants
from fullrate.records.facts.cpu import ProcessPlacement, Softnet
from fullrate.records.facts.processor import NapiThreading, RunningThread
from fullrate.records.snapshot import Delta, increase
from fullrate.records.trial import Trial
from fullrate.records.units import Seconds
from fullrate.records.view import EndView, View, WindowView

# Of a saturated CPU's work. Alone on a CPU the receive path shows 0.9 and more (one CPU of four at 98 % softirq in a
# public report of an IPsec gateway); shared with the receiving program, whose copying is system time, about a half.
MOSTLY = 0.7
SHARED = 0.2  # of the CPU, by each of two that share it: less does not move the limit by what a run can show
RECEIVES = 0.2  # of all packets: below it, they are handled elsewhere
WANTED = 0.1  # of the CPU, by the test: with less it finds its turn whatever else runs
HOG = 0.3  # of the CPU, by a stranger; the traffic program's own user mode takes under a tenth
STEAL = 0.1  # of the CPU: a neighbour's short visit is no limit
IDLE = 0.5  # a CPU that is busy for less has room for what shares another
ALONE = 0.9  # of all packets: with a second CPU taking more than a tenth the work is spread
_SEVERAL = 2  # NAPI threads: one alone on a full CPU is a queue's limit, not a placement
# Letters of a thread's name; Linux kernel commit d6986ce24fc0 ("kthread: dynamically allocate memory to store kthread's
# full name") (in v5.17) shows more.
_NAME = 15


def mostly_softirq(core: Core) -> bool:
    """Whether the receive path alone fills a CPU."""
    return core.softirq >= MOSTLY * core.busy


@dataclass(frozen=True, slots=True, kw_only=True)
class Handled:
    """How many of an end's received packets one CPU handled."""

    packets: int
    total: int
    seconds: Seconds
    source: str

    @property
    def share(self) -> float:
        """Of all packets."""
        return self.packets / self.total


def handled(window: WindowView, cpu: str) -> Handled:
    """The packets one CPU handled during a trial. Raises Missing when none were counted."""
    deltas = window.deltas(Softnet)
    grown = {delta.after.subject: increase(delta.before.processed, delta.after.processed) or 0 for delta in deltas}
    total = sum(grown.values())
    if total == 0:
        raise window.end.missing(Softnet)
    first = deltas[0]
    return Handled(packets=grown.get(cpu, 0), total=total, seconds=first.seconds, source=first.source)


def softirq_alone(view: View, trial: Trial, end: EndView, core: Core) -> bool:
    """Whether the receive path of one CPU fills it and handles nearly all packets. Raises Missing."""
    return mostly_softirq(core) and handled(view.window(trial, end), core.cpu).share >= ALONE


@dataclass(frozen=True, slots=True, kw_only=True)
class Hog:
    """Someone else's work on a CPU; `thread` None when no single thread could be named."""

    share: float
    thread: Work | None


def hog(view: View, trial: Trial, end: EndView, core: Core) -> Hog | None:
    """Who else occupies a CPU: by what /proc/stat shows beyond the test, or by one thread's time. Raises Missing."""
    user = foreign_user(view, trial, end, core)
    others = strangers(view, trial, end, core.cpu)
    named = next((work for work in others if work.share > 0), None)
    share = max(user, named.share if named else 0.0)
    return Hog(share=share, thread=named) if share >= HOG else None


def irq_hog(view: View, trial: Trial, end: EndView, core: Core) -> Hog | None:
    """Who else occupies a CPU that handles received packets and that the test wants. Raises Missing."""
    if handled(view.window(trial, end), core.cpu).share < RECEIVES or not wants(view, trial, end, core, WANTED):
        return None
    return hog(view, trial, end, core)


def neighbour(view: View, trial: Trial, end: EndView, core: Core) -> Work | None:
    """The program's thread that stays on the softirq's CPU while it could run on an idle one. Raises Missing."""
    if core.softirq < SHARED:
        return None
    window = view.window(trial, end)
    if not _could_move(window, core.cpu):
        return None
    threads = [work for work in program_work(window) if work.stayed and str(work.cpu) == core.cpu]
    return threads[0] if threads and threads[0].share >= SHARED else None


def _could_move(window: WindowView, cpu: str) -> bool:
    """Whether the program may run on another CPU that is idle. Raises Missing."""
    placed = window.known(ProcessPlacement)
    if not placed:
        raise window.end.missing(ProcessPlacement)
    allowed = {str(other) for placement in placed for other in placement.cpus_allowed} - {cpu}
    return any(load.busy < IDLE for load in cpu_loads(window, allowed))


def napi_crowd(view: View, trial: Trial, end: EndView, core: Core) -> tuple[Delta[RunningThread], ...]:
    """The NAPI threads of an end's link that worked on one full CPU while another was idle. Raises Missing."""
    link = link_of(end)
    if not end.need(NapiThreading, link).threaded:
        return ()
    window = view.window(trial, end)
    deltas = window.deltas(RunningThread)
    if not deltas:
        raise end.missing(RunningThread)
    mine = [delta for delta in deltas if delta.after.name.startswith(f"napi/{link}-"[:_NAME])]
    here = [delta for delta in mine if {str(delta.before.cpu), str(delta.after.cpu)} == {core.cpu}]
    working = tuple(delta for delta in here if delta.after.seconds > delta.before.seconds)
    idle = any(load.busy < IDLE for load in cpu_loads(window))
    return working if idle and len(working) >= _SEVERAL else ()
