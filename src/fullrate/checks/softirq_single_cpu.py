"""Receive processing fills one CPU while others have room: the softirqs of this link run on that CPU alone.

All packets of one queue are handled by the CPU that its interrupt goes to, or the one that RPS picks by the flow's
hash (Documentation/networking/scaling.rst). Why they all meet on one CPU (one queue, one affinity, one hash, one mask)
is for the checks of these causes, which are surer; a single flow always stays on one CPU.
"""

from fullrate.checks._common import clear, measured, problem, saw
from fullrate.checks._cores import Core, at_ease, cost, limit, main_trial
from fullrate.checks._cpu_glance import softirq_core
from fullrate.checks._kinds import ALONE, handled, mostly_softirq
from fullrate.checks._packets import unmerged_by_choice
from fullrate.checks._rules import long_lists
from fullrate.checks._softirq_glance import one_handles
from fullrate.records.finding import Confidence, Evidence, Finding
from fullrate.records.leaf import Check
from fullrate.records.trial import Trial
from fullrate.records.view import View

CAUSE = "softirq-single-cpu"


def diagnose(view: View) -> Finding:
    """Whether one CPU of the receiver is filled by receive processing alone."""
    trial, end = main_trial(view), view.receiver
    core = limit(view, trial, end)
    if core is None:
        return at_ease(CAUSE, view, trial, end)
    evidence = [core.evidence, measured(trial)]
    if not mostly_softirq(core):
        why = f"CPU {core.cpu} is saturated, but not by receive processing alone"
        return clear(CAUSE, why, evidence, end=end.end)
    if unmerged_by_choice(view, trial):
        return clear(CAUSE, "an offload that is off makes the work, not its place", evidence, end=end.end)
    if long_lists(view, trial, end, core):
        return clear(
            CAUSE, "the filter rules that each packet passes make the work, not its place", evidence, end=end.end
        )
    return _judge(view, trial, core, evidence)


def _judge(view: View, trial: Trial, core: Core, evidence: list[Evidence]) -> Finding:
    end = view.receiver
    found = handled(view.window(trial, end), core.cpu)
    evidence.append(saw(found.source, f"processed by CPU {core.cpu}", f"+{found.packets} of {found.total}"))
    if found.share < ALONE:
        return clear(CAUSE, "several CPUs take part in receive processing", evidence, end=end.end)
    return problem(
        CAUSE,
        f"CPU {core.cpu} handles {found.share:.0%} of all received packets and has no time left",
        evidence,
        end=end.end,
        subject=f"cpu{core.cpu}",
        confidence=Confidence.MEDIUM,  # the special kinds of it are surer
        costs_bps=cost(view, trial, core),
    )


def glance(view: View) -> Finding | None:
    """One CPU that softirqs fill on a screen of top or mpstat, or that handles all packets."""
    return softirq_core(view, CAUSE) or one_handles(view, CAUSE)


CHECK = Check(id=CAUSE, cause=CAUSE, diagnose=diagnose, glance=glance)
