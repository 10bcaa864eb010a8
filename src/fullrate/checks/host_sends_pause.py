"""The receiving host holds its partner back with pause frames because it cannot keep up.

A NIC whose receive FIFO fills asks its partner to wait, up to 65,535 x 512 bit times a frame (IEEE 802.3, annex 31B):
drops become waiting, and the host looks clean. Why it is slow (ring, CPU, PCIe) is for the other checks to say. Where
the driver counts the time, the loss is exact; otherwise it is the most that so many frames can have cost.
"""

from fullrate.checks._common import clear, is_full, link_of, measured, not_applicable, problem, saw
from fullrate.checks._pause_glance import SENT, suspected
from fullrate.checks._phy import lacks, on_wires
from fullrate.checks._wire import pause, pause_cost
from fullrate.records.facts.ethtool import DriverInfo
from fullrate.records.facts.phy import PauseSettings
from fullrate.records.finding import Confidence, Finding
from fullrate.records.leaf import Check
from fullrate.records.view import EndView, View

CAUSE = "host-sends-pause"
_MATTERS = 0.02  # of the time


def diagnose(view: View) -> Finding:
    """Whether the receiver of this direction stops its partner."""
    return on_wires(view, CAUSE, view.receiver, lambda end: _wire(view, end))


def _wire(view: View, end: EndView) -> Finding:
    link = link_of(end)
    if lacks(end, PauseSettings):
        return not_applicable(CAUSE, f"{link} knows no pause frames", end=end.end, subject=link)
    end.need(PauseSettings, link)
    end.need(DriverInfo, link)
    trial = view.trial()
    found = pause(view, trial, end, received=False)
    if found is None:
        return not_applicable(CAUSE, f"the driver of {link} counts no pause frames", end=end.end, subject=link)
    evidence = [*found.evidence, saw(f"trial/{trial.id}", "share of the time", f"{found.share:.1%}"), measured(trial)]
    if found.share < _MATTERS or is_full(view, trial):
        return clear(CAUSE, "no pause that matters", evidence, end=end.end, subject=link)
    return problem(
        CAUSE,
        f"{link} stopped its partner with {found.frames} pause frames: this host cannot keep up",
        evidence,
        end=end.end,
        subject=link,
        confidence=Confidence.HIGH if found.counted else Confidence.MEDIUM,
        costs_bps=pause_cost(view, found),
    )


def glance(view: View) -> Finding | None:
    """The pause frames that the link counts."""
    return suspected(view, CAUSE, SENT, "{link} stopped its partner with {frames} pause frames")


CHECK = Check(id=CAUSE, cause=CAUSE, diagnose=diagnose, alone=True, glance=glance)
