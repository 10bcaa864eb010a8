"""The UDP sender needs a system call for each datagram, and its thread fills a CPU before the link is full.

iperf3 writes one datagram a call (iperf_udp_send in its iperf_udp.c) unless it uses segmentation offload, which it can
since 3.21 (--gsro); a larger -l, jumbo frames or several streams carry more with as many calls.
"""

from fullrate.checks._common import clear, is_full, measured, not_applicable, problem, rate, saw
from fullrate.checks._cpu import SATURATED
from fullrate.checks._udp import lost
from fullrate.checks._work import program_work
from fullrate.records.finding import Confidence, Finding
from fullrate.records.leaf import Check
from fullrate.records.trial import Trial
from fullrate.records.view import View

CAUSE = "iperf3-udp-sender-cpu"
_REACHED = 0.98  # of the rate that was asked for


def diagnose(view: View) -> Finding:
    """Whether the sending thread of a UDP test is the limit."""
    trial = view.want_trial("udp")
    if trial is None:
        view.trial()
        return not_applicable(CAUSE, "no UDP was sent")
    thread, end = program_work(view.window(trial, view.sender))[0], view.sender
    evidence = [
        saw(thread.source, f"thread {thread.tid} {thread.name}", f"{thread.share:.0%} of CPU {thread.cpu}"),
        measured(trial),
    ]
    if thread.share < SATURATED or _reached(view, trial) or is_full(view, trial):
        return clear(CAUSE, "the sending thread is not the limit", evidence, end=end.end)
    return problem(
        CAUSE,
        f"one call a datagram fills the sending thread on CPU {thread.cpu}: send larger datagrams or several streams",
        evidence,
        end=end.end,
        subject=thread.name,
        confidence=Confidence.HIGH,
        costs_bps=view.ceiling - min(view.ceiling, rate(trial) / thread.share),
    )


def _reached(view: View, trial: Trial) -> bool:
    sent = lost(view, trial).rate if trial.engine and trial.engine.sent else rate(trial)
    return trial.spec.rate is not None and sent >= _REACHED * trial.spec.rate


CHECK = Check(id=CAUSE, cause=CAUSE, diagnose=diagnose)
