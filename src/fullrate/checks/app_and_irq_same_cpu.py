"""The traffic program and the softirqs of its packets share one full CPU while others are idle.

The scheduler often wakes a reader on the CPU that handled its packet, to find the data in its cache
(kernel/sched/fair.c, select_task_rq_fair); with a whole CPU's worth of packets the two then take turns. Documentation/
networking/scaling.rst describes how RFS and interrupt affinity place them.
"""

from fullrate.checks._common import clear, measured, problem, saw
from fullrate.checks._cores import Core, at_ease, gain, limit, main_trial
from fullrate.checks._kinds import irq_hog, mostly_softirq, neighbour
from fullrate.checks._moving import move_off
from fullrate.checks._work import Work
from fullrate.records.finding import Confidence, Evidence, Finding
from fullrate.records.leaf import Check
from fullrate.records.trial import Trial
from fullrate.records.view import View

CAUSE = "app-and-irq-same-cpu"
_NOTE = "holds for this process alone; a service keeps it with CPUAffinity= in its unit"


def diagnose(view: View) -> Finding:
    """Whether the receiving program could leave a full CPU to its softirqs."""
    trial, end = main_trial(view), view.receiver
    core = limit(view, trial, end)
    if core is None:
        return at_ease(CAUSE, view, trial, end)
    evidence = [core.evidence, measured(trial)]
    if mostly_softirq(core):
        return clear(CAUSE, f"CPU {core.cpu} is full of receive processing alone", evidence, end=end.end)
    if irq_hog(view, trial, end, core) is not None:
        return clear(CAUSE, f"someone else occupies CPU {core.cpu}", evidence, end=end.end)
    thread = neighbour(view, trial, end, core)
    if thread is None:
        return clear(CAUSE, "program and softirqs do not share a CPU that either could leave", evidence, end=end.end)
    return _problem(view, trial, core, thread, evidence)


def _problem(view: View, trial: Trial, core: Core, thread: Work, evidence: list[Evidence]) -> Finding:
    end = view.receiver
    evidence.append(saw(thread.source, f"thread {thread.tid} {thread.name}", f"{thread.share:.0%} of CPU {thread.cpu}"))
    return problem(
        CAUSE,
        f"{thread.name} and the softirqs of its packets share CPU {core.cpu}, other CPUs are idle",
        evidence,
        end=end.end,
        subject=f"cpu{core.cpu}",
        confidence=Confidence.HIGH,
        costs_bps=gain(view, trial, max(core.softirq, core.busy - core.softirq)),
        remedies=(move_off(end.end, thread.tid, core.cpu, _NOTE),),
    )


CHECK = Check(id=CAUSE, cause=CAUSE, diagnose=diagnose)
