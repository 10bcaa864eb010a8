"""The UDP sender needs a system call for each datagram, and its thread fills a CPU before the link is full.

iperf3 writes one datagram a call (iperf_udp_send in its iperf_udp.c) unless it uses segmentation offload, which it can
since 3.21 (--gsro); a larger -l, jumbo frames or several streams carry more with as many calls.
"""

from fullrate.checks._common import clear, is_full, measured, not_applicable, problem, rate, saw
from fullrate.checks._cpu import SATURATED
from fullrate.checks._told import ceiling_reached, program_share
from fullrate.checks._udp import lost
from fullrate.checks._work import program_work
from fullrate.records.finding import Confidence, Finding
from fullrate.records.goodput import FULL_SHARE
from fullrate.records.leaf import Check
from fullrate.records.trial import Trial
from fullrate.records.view import View

CAUSE = "iperf3-udp-sender-cpu"
_REACHED = 0.98  # of the rate that was asked for


def diagnose(view: View) -> Finding:
    """Whether the sending thread of a UDP test is the limit."""
    trial, told = view.want_trial("udp"), _told(view)
    if told is not None and (trial is None or trial.told):
        return _by_its_word(view, told)
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


def _told(view: View) -> Trial | None:
    """The newest UDP test whose sender told how much of a CPU it used, a rate or not."""
    tried = [one for one in view.runs(view.bulk("udp")) if program_share(one, view.sender.end) is not None]
    return tried[-1] if tried and not tried[-1].windows else None


def _by_its_word(view: View, trial: Trial) -> Finding:
    share = (program_share(trial, view.sender.end) or 0.0) / trial.spec.streams  # at most: older ones have one thread
    evidence = [saw(f"trial/{trial.id}", "CPU of the sender", f"{share:.0%}")]
    if share < SATURATED or _reached(view, trial) or ceiling_reached(view, trial, FULL_SHARE):
        return clear(CAUSE, "the sender is not the limit", evidence, confidence=Confidence.MEDIUM)
    return problem(
        CAUSE,
        "one call a datagram fills the CPU of the sending program: send larger datagrams or several streams",
        evidence,
        end=view.sender.end,
        subject="iperf3",
        confidence=Confidence.MEDIUM,
    )


def _reached(view: View, trial: Trial) -> bool:
    counted = trial.engine is not None and bool(trial.engine.sent) and not trial.told
    sent = lost(view, trial).rate if counted else rate(trial)
    return trial.spec.rate is not None and sent >= _REACHED * trial.spec.rate


CHECK = Check(id=CAUSE, cause=CAUSE, diagnose=diagnose)
