"""The kernel threads that poll this link's queues share one full CPU while others are idle.

With /sys/class/net/X/threaded on, each queue is polled by a thread napi/X-ID that the scheduler places, within its
affinity (Documentation/networking/napi.rst, threaded NAPI). Interrupt affinity then says nothing about where packets
are handled.
"""

from collections import Counter

from fullrate.checks._common import clear, link_of, measured, not_applicable, problem, saw
from fullrate.checks._cores import Core, at_ease, gain, limit, main_trial
from fullrate.checks._glance import again, suspect
from fullrate.checks._kinds import napi_crowd
from fullrate.checks._moving import move_off
from fullrate.records.facts.processor import NapiThreading, RunningThread, ThreadAffinity
from fullrate.records.finding import Confidence, Evidence, Finding
from fullrate.records.leaf import Check, Per
from fullrate.records.snapshot import Delta
from fullrate.records.trial import Trial
from fullrate.records.view import View

CAUSE = "napi-thread-pinned"
_NOTE = "of the threads on this CPU one may stay; the setting is lost with the link's next restart"


def diagnose(view: View) -> Finding:
    """Whether the receiver's NAPI threads crowd on one full CPU."""
    trial, end = main_trial(view), view.receiver
    core = limit(view, trial, end)
    if core is None:
        return at_ease(CAUSE, view, trial, end)
    link = link_of(end)
    if not end.need(NapiThreading, link).threaded:
        return not_applicable(CAUSE, f"{link} is polled in softirqs, not in threads", end=end.end)
    return _judge(view, trial, core, [core.evidence, measured(trial)])


def _judge(view: View, trial: Trial, core: Core, evidence: list[Evidence]) -> Finding:
    end = view.receiver
    crowd = napi_crowd(view, trial, end, core)
    evidence += [saw(delta.source, f"{delta.after.name} on CPU {core.cpu}", _spent(delta)) for delta in crowd]
    if not crowd:
        return clear(CAUSE, f"the link's threads do not crowd on CPU {core.cpu}", evidence, end=end.end)
    dearest = max(_share(delta) for delta in crowd)
    return problem(
        CAUSE,
        f"{len(crowd)} NAPI threads of {end.interface} share CPU {core.cpu}, other CPUs are idle",
        evidence,
        end=end.end,
        subject=end.interface or "",
        confidence=Confidence.HIGH,
        costs_bps=gain(view, trial, max(dearest, core.busy / len(crowd))),
        remedies=tuple(move_off(end.end, delta.after.subject, core.cpu, _NOTE) for delta in crowd[1:]),
    )


def _share(delta: Delta[RunningThread]) -> float:
    return (delta.after.seconds - delta.before.seconds) / delta.seconds if delta.seconds > 0 else 1.0


def _spent(delta: Delta[RunningThread]) -> str:
    return f"+{delta.after.seconds - delta.before.seconds} s of {delta.seconds:.0f}"


_CROWD = 3  # threads bound to one CPU: two may be a program's that somebody placed there


def glance(view: View) -> Finding | None:
    """Several threads that may run on one CPU alone; a listing of affinities does not name them."""
    bound = [one for one in view.here.all(ThreadAffinity) if len(one.cpus) == 1]
    crowd = Counter(one.cpus[0] for one in bound).most_common(1)
    if not crowd or crowd[0][1] < _CROWD:
        return None
    cpu, number = crowd[0]
    seen = [saw(view.here.source_of(one), f"PID {one.subject}", f"CPU {one.cpus[0]}") for one in bound]
    words = f"{number} threads may run on CPU {cpu} alone; where they are a link's NAPI threads, they share it"
    asks = again(view, "ps -eLo tid,psr,comm,time", "mpstat -P ALL 1")
    return suspect(view, CAUSE, words, seen, subject=f"cpu{cpu}", confidence=Confidence.LOW, asks=asks)


CHECK = Check(id=CAUSE, cause=CAUSE, diagnose=diagnose, per=Per.NIC, glance=glance)
