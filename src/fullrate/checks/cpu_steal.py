"""The hypervisor takes the CPU away from this virtual machine while it has work to do.

Steal time is what the hypervisor ran something else while this CPU could have run (proc(5), /proc/stat; Documentation/
virt/kvm/x86/cpuid.rst, KVM_FEATURE_STEAL_TIME): the kernel counts the victim's time itself.
"""

from fullrate.checks._common import clear, measured, problem
from fullrate.checks._cores import at_ease, gain, limit, of_both
from fullrate.checks._cpu_glance import stolen
from fullrate.checks._kinds import STEAL
from fullrate.records.finding import Confidence, Finding
from fullrate.records.leaf import Check
from fullrate.records.trial import Trial
from fullrate.records.view import EndView, View

CAUSE = "cpu-steal"


def diagnose(view: View) -> Finding:
    """Whether either end's busiest CPU is held back by its hypervisor."""
    return of_both(view, _side)


def _side(view: View, trial: Trial, end: EndView) -> Finding:
    core = limit(view, trial, end)
    if core is None:
        return at_ease(CAUSE, view, trial, end)
    evidence = [core.evidence, measured(trial)]
    if core.steal < STEAL:
        return clear(CAUSE, f"the hypervisor leaves CPU {core.cpu} to this host", evidence, end=end.end)
    return problem(
        CAUSE,
        f"the hypervisor took CPU {core.cpu} away for {core.steal:.0%} of the time",
        evidence,
        end=end.end,
        subject=f"cpu{core.cpu}",
        confidence=Confidence.HIGH,
        costs_bps=gain(view, trial, core.busy - core.steal),
    )


def glance(view: View) -> Finding | None:
    """The stolen time that a screen of top or mpstat shows."""
    return stolen(view, CAUSE)


CHECK = Check(id=CAUSE, cause=CAUSE, diagnose=diagnose, glance=glance)
