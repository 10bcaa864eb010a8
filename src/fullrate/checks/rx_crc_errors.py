"""Frames arrive damaged: cable, connector, optics, or interference.

A frame whose check sequence is wrong is dropped by the NIC and counted (IEEE 802.3, aFrameCheckSequenceErrors). TCP
takes it for congestion. FEC that cannot mend, light that is too weak and a half-duplex partner damage frames as well:
where their evidence is there, their checks carry the cost.
"""

from fullrate.checks._common import clear, link_of, measured, problem, saw
from fullrate.checks._glance import again, counters, frames_received, grown, suspect
from fullrate.checks._phy import damaged, loss_cost, on_wires, share_of_received
from fullrate.checks._wire import marginal_light, unmended
from fullrate.records.facts.ethtool import LinkMode
from fullrate.records.finding import Confidence, Finding
from fullrate.records.leaf import Check
from fullrate.records.trial import Trial
from fullrate.records.view import EndView, View

CAUSE = "rx-crc-errors"
# 1000BASE-T may lose one bit in 10^10 (IEEE 802.3, 40.1.1; faster media less): of frames of 12,304 bits one in 800,000.
# Ten times that many, and never on the strength of a few frames: a plug that moved once makes a handful.
_TOLERATED = 1e-5
_FEW = 10


def diagnose(view: View) -> Finding:
    """Whether frames of this direction arrive damaged at the receiver."""
    return on_wires(view, CAUSE, view.receiver, lambda end: _wire(view, view.trial(), end))


def _wire(view: View, trial: Trial, end: EndView) -> Finding:
    found = damaged(view, trial, end)
    ratio = share_of_received(view, trial, end, found.grown)
    evidence = [found.evidence, saw(f"trial/{trial.id}", "damaged frames", f"{ratio:.4%}"), measured(trial)]
    if found.grown < _FEW or ratio < _TOLERATED:
        return clear(CAUSE, "frames arrive intact", evidence, end=end.end, subject=link_of(end))
    special = _special(view, trial, end)
    return problem(
        CAUSE,
        f"{ratio:.3%} of the frames arrive damaged at {link_of(end)}" + (f"; see {special}" if special else ""),
        evidence,
        end=end.end,
        subject=link_of(end),
        confidence=Confidence.MEDIUM if special else Confidence.HIGH,
        costs_bps=0.0 if special else loss_cost(view, trial, ratio),
    )


def _special(view: View, trial: Trial, end: EndView) -> str:
    """The more special cause whose evidence is there."""
    sender, mode = view.sender, end.want(LinkMode, link_of(end))
    halves = [mode, sender.want(LinkMode, sender.interface)]
    if unmended(view.window(trial, end)) is not None:
        return "fec-mismatch"
    if marginal_light(end):
        return "optics-power-low"
    return "duplex-mismatch" if any(one is not None and one.duplex == "Half" for one in halves) else ""


# Names of drivers for a wrong check sequence, and of PHYs for symbols that are none.
_DAMAGED = (
    "*crc_err*",
    "*fcs_err*",
    "RxFcsErr",
    "*frame_check_sequence_err*",
    "RxAlignErr",
    "*align_err*",
    "*symbol_err*",
    "rx_frame_errors",  # as ifconfig shows it, with those of check sequence and length
)
_MANY = 1000  # where nobody shows how many frames came


def glance(view: View) -> Finding | None:
    """The damaged frames that the link counts."""
    found = counters(view)
    most = max(grown(found, _DAMAGED), key=lambda one: (one.twice, one.value), default=None)
    if most is None or most.name.startswith("tx"):
        return None
    received = frames_received(found, most)
    ratio = most.value / (most.value + received.value) if received else None
    if most.value < (_MANY if ratio is None else _FEW) or (ratio is not None and ratio < _TOLERATED):
        return None
    share = "" if ratio is None else f", {ratio:.3%} of what came"
    link = view.here.interface or "the link"
    words = f"{most.value:,} frames arrived damaged at {link} ({most.name}){share}, {most.when}"
    evidence = [most.evidence, *([received.evidence] if received else [])]
    return suspect(view, CAUSE, words, evidence, asks=again(view, "ethtool -S {link}"))


CHECK = Check(id=CAUSE, cause=CAUSE, diagnose=diagnose, alone=True, glance=glance)
