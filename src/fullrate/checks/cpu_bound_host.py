"""A CPU of one end is full and nothing more special is known of why.

The last resort of its family: where the evidence of a special kind is there (a stranger on that CPU, the hypervisor,
receive processing alone, a program beside its softirqs, small packets, an offload that is off, encryption, a tunnel's
program) that check speaks and this one is clear.
"""

from collections.abc import Callable

from fullrate.checks._clock import held_low
from fullrate.checks._common import clear, measured, problem, saw
from fullrate.checks._cores import Core, at_ease, cost, limit, of_both
from fullrate.checks._cpu_glance import busy_host
from fullrate.checks._kinds import STEAL, irq_hog, napi_crowd, neighbour, softirq_alone
from fullrate.checks._packets import packets, unmerged_by_choice
from fullrate.checks._rules import long_lists
from fullrate.checks._tunnels import crypto_link, tunnel_program
from fullrate.checks._work import program_work, wants
from fullrate.records.finding import Confidence, Finding
from fullrate.records.leaf import Check
from fullrate.records.trial import Trial
from fullrate.records.view import EndView, View

CAUSE = "cpu-bound-host"
_WANTED = 0.7  # of the CPU, by the test: what a CPU holds back runs or waits for it nearly all the time
_MAINLY = 0.5  # of the CPU, by the traffic program: then it is the test's own work that fills it


def diagnose(view: View) -> Finding:
    """Whether a CPU of either end is the limit for no special reason."""
    return of_both(view, _side)


def _side(view: View, trial: Trial, end: EndView) -> Finding:
    core = limit(view, trial, end)
    if core is None:
        return at_ease(CAUSE, view, trial, end)
    evidence = [core.evidence, measured(trial)]
    special = _special(view, trial, end, core)
    if special:
        return clear(CAUSE, f"CPU {core.cpu} is full for a special reason: {special}", evidence, end=end.end)
    if not wants(view, trial, end, core, _WANTED):
        return clear(CAUSE, f"CPU {core.cpu} is full of work that the test did not wait for", evidence, end=end.end)
    work = [one for one in program_work(view.window(trial, end)) if str(one.cpu) == core.cpu]
    evidence += [saw(one.source, f"thread {one.tid} {one.name}", f"{one.share:.0%} of CPU {one.cpu}") for one in work]
    own = sum(one.share for one in work)
    return problem(
        CAUSE,
        f"CPU {core.cpu} of the {end.end} end is full"
        + (f": {work[0].name} needs {own:.0%} of it" if own >= _MAINLY else ""),
        evidence,
        end=end.end,
        subject=f"cpu{core.cpu}",
        confidence=Confidence.MEDIUM if own >= _MAINLY else Confidence.LOW,
        costs_bps=cost(view, trial, core),
    )


def _special(view: View, trial: Trial, end: EndView, core: Core) -> str:
    """The special kind whose evidence is there; empty when there is none. Raises Missing."""
    receives = end.end is view.receiver.end
    kinds: tuple[tuple[str, Callable[[], bool]], ...] = (
        ("the hypervisor takes it away", lambda: core.steal >= STEAL),
        ("receive processing alone", lambda: receives and softirq_alone(view, trial, end, core)),
        ("someone else's work", lambda: receives and irq_hog(view, trial, end, core) is not None),
        ("program and softirqs share it", lambda: receives and neighbour(view, trial, end, core) is not None),
        ("a long list of filter rules", lambda: long_lists(view, trial, end, core)),
        ("an offload is off", lambda: unmerged_by_choice(view, trial)),
        ("small packets", lambda: packets(view, trial, end).small),
        ("an encrypting tunnel", lambda: crypto_link(end) is not None),
        ("a tunnel's program", lambda: tunnel_program(view, trial, end, core) is not None),
        ("threads that poll the link crowd on it", lambda: receives and bool(napi_crowd(view, trial, end, core))),
        ("its clock is held low", lambda: held_low(view, trial, end, core.cpu)),
    )
    return next((words for words, shows in kinds if shows()), "")


def glance(view: View) -> Finding | None:
    """CPUs that are full on a screen of top or vmstat."""
    return busy_host(view, CAUSE)


CHECK = Check(id=CAUSE, cause=CAUSE, diagnose=diagnose, glance=glance)
