"""The receiver's NIC discards frames it has no room for; why is open.

The general answer: it stands back, at no cost, where the evidence names the kind (ring, interrupt delay, PCIe) or a
CPU that is full. Counters: struct rtnl_link_stats64 (include/uapi/linux/if_link.h) and the driver's own.
"""

from fullrate.checks._common import clear, link_of, not_applicable, problem
from fullrate.checks._cpu_glance import softirq_core
from fullrate.checks._glance import again, suspect
from fullrate.checks._overrun import Overrun, State, overrun
from fullrate.checks._overrun_glance import overruns
from fullrate.checks._overrun_why import why
from fullrate.records.facts.link import Link
from fullrate.records.finding import Confidence, Finding
from fullrate.records.leaf import Check, Per
from fullrate.records.view import View

CAUSE = "nic-rx-overrun"


def diagnose(view: View) -> Finding:
    """Whether discards of the receiver's NIC hold this direction back."""
    end, link = view.receiver, link_of(view.receiver)
    if end.need(Link, link).kind is not None:
        return not_applicable(CAUSE, f"{link} is no physical link", end=end.end, subject=link)
    found = overrun(view)
    if not found.acts:
        return clear(CAUSE, found.state, found.evidence, end=end.end, subject=link)
    reason = _reason(view, found)
    return problem(
        CAUSE,
        f"{link} discarded {found.frames:,} of {found.frames + found.received:,} frames"
        + (f"; the reason is {reason}" if reason else " while its CPU had room"),
        found.evidence,
        end=end.end,
        subject=link,
        confidence=Confidence.LOW if reason else Confidence.MEDIUM,
        costs_bps=0.0 if reason else found.price,
    )


def _reason(view: View, found: Overrun) -> str | None:
    if found.state is State.CPU and found.load is not None:
        return f"CPU {found.load.cpu}, which is full"
    return why(view, found)


def glance(view: View) -> Finding | None:
    """The discards that the NIC counts; a CPU that softirqs fill is then the likelier cause, and its check names it."""
    found = overruns(view)
    if found is None:
        return None
    link = view.here.interface or "the NIC"
    asks = again(view, "ethtool -S {link}", "ethtool -g {link}", "mpstat -P ALL 1")
    sure = Confidence.LOW if softirq_core(view, CAUSE) else Confidence.MEDIUM
    return suspect(view, CAUSE, f"{link} {found.words}", found.evidence, confidence=sure, asks=asks)


CHECK = Check(id=CAUSE, cause=CAUSE, diagnose=diagnose, per=Per.NIC, alone=True, glance=glance)
