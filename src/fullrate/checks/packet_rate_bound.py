"""Packets per second are the limit, not bits: small packets fill a CPU long before they fill the link.

Most of the work of a packet does not depend on its size. Where the mean packet is far below what the link could carry
in one and a CPU is full, the same CPU would carry more payload in larger packets.
"""

from fullrate.checks._common import clear, measured, problem, rate, saw
from fullrate.checks._cores import at_ease, limit, of_both
from fullrate.checks._packets import packets
from fullrate.records.finding import Confidence, Finding
from fullrate.records.leaf import Check
from fullrate.records.trial import Trial
from fullrate.records.view import EndView, View

CAUSE = "packet-rate-bound"


def diagnose(view: View) -> Finding:
    """Whether small packets make a CPU of either end the limit."""
    return of_both(view, _side)


def _side(view: View, trial: Trial, end: EndView) -> Finding:
    core = limit(view, trial, end)
    if core is None:
        return at_ease(CAUSE, view, trial, end)
    found = packets(view, trial, end)
    evidence = [
        core.evidence,
        saw(found.source, "mean packet, bytes", f"{found.size:.0f} of {found.largest} possible"),
        measured(trial),
    ]
    if not found.small:
        return clear(CAUSE, "the packets are as large as the link carries them, or half of it", evidence, end=end.end)
    larger = rate(trial) / core.busy * found.largest / found.size
    return problem(
        CAUSE,
        f"{found.count / found.seconds:,.0f} packets a second of {found.size:.0f} bytes fill CPU {core.cpu}",
        evidence,
        end=end.end,
        subject=f"cpu{core.cpu}",
        confidence=Confidence.HIGH,
        costs_bps=max(0.0, min(view.ceiling, larger) - rate(trial)),
    )


CHECK = Check(id=CAUSE, cause=CAUSE, diagnose=diagnose)
