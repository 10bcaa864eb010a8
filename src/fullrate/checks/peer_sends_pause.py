"""The partner of the sending link (switch or host) holds it back with pause frames.

A pause frame stops a full-duplex transmitter for up to 65,535 x 512 bit times (IEEE 802.3, annex 31B). Where the driver
counts the time, the loss is exact; otherwise it is the most that so many frames can have cost.
"""

from fullrate.checks._common import clear, is_full, link_of, measured, not_applicable, problem, saw
from fullrate.checks._pause_glance import RECEIVED, suspected
from fullrate.checks._phy import lacks, on_wires
from fullrate.checks._wire import pause, pause_cost
from fullrate.records.facts.ethtool import DriverInfo
from fullrate.records.facts.phy import PauseSettings
from fullrate.records.finding import Confidence, Finding
from fullrate.records.leaf import Check
from fullrate.records.view import EndView, Missing, View

CAUSE = "peer-sends-pause"
_MATTERS = 0.02  # of the time


def diagnose(view: View) -> Finding:
    """Whether pause frames stop the sender of this direction."""
    return on_wires(view, CAUSE, view.sender, lambda end: _wire(view, end))


def _wire(view: View, end: EndView) -> Finding:
    link = link_of(end)
    if lacks(end, PauseSettings):
        return not_applicable(CAUSE, f"{link} knows no pause frames", end=end.end, subject=link)
    settings, trial = end.need(PauseSettings, link), view.trial()
    end.need(DriverInfo, link)
    found = pause(view, trial, end, received=True)
    if found is None:
        return not_applicable(CAUSE, f"the driver of {link} counts no pause frames", end=end.end, subject=link)
    evidence = [*found.evidence, saw(f"trial/{trial.id}", "share of the time", f"{found.share:.1%}"), measured(trial)]
    if found.share < _MATTERS or not settings.rx or is_full(view, trial):
        return clear(CAUSE, "no pause that matters", evidence, end=end.end, subject=link)
    from_host = _from_receiver(view)
    return problem(
        CAUSE,
        f"the partner of {link} stopped it with {found.frames} pause frames"
        + ("; the other host sends them" if from_host else ""),
        evidence,
        end=end.end,
        subject=link,
        confidence=Confidence.HIGH if found.counted and not from_host else Confidence.MEDIUM,
        costs_bps=0.0 if from_host else pause_cost(view, found),
    )


def _from_receiver(view: View) -> bool:
    """Whether the receiving host sends pause frames itself: then host-sends-pause carries the cost."""
    try:
        sent = pause(view, view.trial(), view.receiver, received=False)
    except Missing:
        return False
    return sent is not None and sent.share >= _MATTERS


def glance(view: View) -> Finding | None:
    """The pause frames that the link counts."""
    return suspected(view, CAUSE, RECEIVED, "the partner of {link} stopped it with {frames} pause frames")


CHECK = Check(id=CAUSE, cause=CAUSE, diagnose=diagnose, alone=True, glance=glance)
