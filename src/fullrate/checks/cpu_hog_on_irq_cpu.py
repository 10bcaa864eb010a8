"""Something else occupies the CPU that handles the received packets.

Softirqs run on the CPU their interrupt came to, whatever else runs there; under load they move into ksoftirqd, a thread
of usual priority that shares the CPU with every other (kernel/softirq.c). What the traffic program and the softirqs do
not account for is someone else's: seen as user time in /proc/stat, and as the CPU time of a thread that stays there.
"""

from fullrate.checks._common import clear, measured, problem, saw
from fullrate.checks._cores import Core, at_ease, gain, limit, main_trial
from fullrate.checks._kinds import HOG, Hog, irq_hog
from fullrate.checks._moving import move_off
from fullrate.records.finding import Confidence, Evidence, Finding
from fullrate.records.leaf import Check
from fullrate.records.trial import Trial
from fullrate.records.view import View

CAUSE = "cpu-hog-on-irq-cpu"
_NOTE = "a service keeps it with CPUAffinity= in its unit"


def diagnose(view: View) -> Finding:
    """Whether a stranger takes the receiver's softirq CPU."""
    trial, end = main_trial(view), view.receiver
    core = limit(view, trial, end)
    if core is None:
        return at_ease(CAUSE, view, trial, end)
    evidence = [core.evidence, measured(trial)]
    found = irq_hog(view, trial, end, core)
    if found is None:
        why = f"nobody else takes CPU {core.cpu} from the packets it handles, or the test needs little of it"
        return clear(CAUSE, why, evidence, end=end.end)
    return _problem(view, trial, core, found, evidence)


def _problem(view: View, trial: Trial, core: Core, found: Hog, evidence: list[Evidence]) -> Finding:
    end, thread = view.receiver, found.thread
    if thread is not None:
        spent = f"about {thread.share:.0%} of a CPU, on CPU {thread.cpu}"
        evidence.append(saw(thread.source, f"thread {thread.tid} {thread.name}", spent))
    return problem(
        CAUSE,
        f"{thread.name if thread else 'another program'} takes {found.share:.0%} of CPU {core.cpu},"
        " which handles the received packets",
        evidence,
        end=end.end,
        subject=f"cpu{core.cpu}",
        confidence=Confidence.HIGH if thread is not None and thread.share >= HOG else Confidence.MEDIUM,
        costs_bps=gain(view, trial, core.busy - found.share),
        remedies=() if thread is None else (move_off(end.end, thread.tid, core.cpu, _NOTE),),
    )


CHECK = Check(id=CAUSE, cause=CAUSE, diagnose=diagnose)
