"""Forward error correction is off where the medium needs it, or cannot mend what arrives.

Links of 25 Gbit/s and more are specified with FEC over most media (IEEE 802.3, clauses 91 and 108); blocks it could not
mend are counted (30.5.1.1.18, aFECUncorrectableBlocks) and lost. Corrected ones cost nothing and are no fault. Both
partners must run the same FEC; one that does not brings no link, or a bad one.
"""

from fullrate.checks._common import clear, link_of, measured, not_applicable, problem, saw
from fullrate.checks._count_glance import unmended_blocks
from fullrate.checks._phy import damaged, lacks, loss_cost, on_wires, share_of_received
from fullrate.checks._wire import unmended
from fullrate.records.facts.ethtool import LinkMode
from fullrate.records.facts.phy import FecCounters, FecMode
from fullrate.records.finding import Confidence, Evidence, Finding, Remedy
from fullrate.records.leaf import Check
from fullrate.records.trial import Trial
from fullrate.records.units import BitsPerSecond
from fullrate.records.view import EndView, View

CAUSE = "fec-mismatch"
_NEEDS_FEC = 25e9  # bits per second
_OFF = {("Off",), ("None",)}
_FEW = 10  # damaged frames, as for rx-crc-errors


def diagnose(view: View) -> Finding:
    """Whether FEC of the receiver's link lets damage through."""
    return on_wires(view, CAUSE, view.receiver, lambda end: _wire(view, end))


def _wire(view: View, end: EndView) -> Finding:
    link = link_of(end)
    if lacks(end, FecMode):
        return not_applicable(CAUSE, f"{link} has no forward error correction", end=end.end, subject=link)
    mode, trial = end.need(FecMode, link), view.trial()
    evidence = [saw(end.source_of(mode), "Active FEC encoding", " ".join(mode.active)), measured(trial)]
    found = unmended(view.window(trial, end))
    if found is not None:
        blocks, seen = found
        costs = loss_cost(view, trial, share_of_received(view, trial, end, blocks))
        return _problem(end, f"FEC of {link} could not mend {blocks} blocks", [seen, *evidence], sure=True, costs=costs)
    if view.window(trial, end).want(FecCounters, link) is not None:
        return clear(CAUSE, "FEC mends what arrives", evidence, end=end.end, subject=link)
    return _uncounted(view, trial, end, mode, evidence)


def _uncounted(view: View, trial: Trial, end: EndView, mode: FecMode, evidence: list[Evidence]) -> Finding:
    """The driver does not count blocks: damaged frames tell."""
    frames = damaged(view, trial, end)
    if frames.grown < _FEW:
        return clear(CAUSE, "frames arrive intact", [frames.evidence, *evidence], end=end.end, subject=mode.subject)
    speed = end.need(LinkMode, mode.subject).speed
    if mode.active not in _OFF or speed is None:
        raise end.missing(FecCounters, mode.subject)
    if speed < _NEEDS_FEC:
        return clear(CAUSE, "off, as below 25 Gbit/s it may be", evidence, end=end.end, subject=mode.subject)
    costs = loss_cost(view, trial, share_of_received(view, trial, end, frames.grown))
    what = f"FEC of {mode.subject} is off, and frames arrive damaged"
    return _problem(end, what, [frames.evidence, *evidence], sure=False, costs=costs)


def _problem(end: EndView, what: str, evidence: list[Evidence], *, sure: bool, costs: BitsPerSecond) -> Finding:
    return problem(
        CAUSE,
        what,
        evidence,
        end=end.end,
        subject=link_of(end),
        confidence=Confidence.HIGH if sure else Confidence.MEDIUM,
        costs_bps=costs,
        remedies=_remedies(end),
    )


def _remedies(end: EndView) -> tuple[Remedy, ...]:
    """Where FEC is off: to switch it on, and back to what was set. Where it is on, the medium is to be mended."""
    link = link_of(end)
    mode = end.need(FecMode, link)
    if mode.active not in _OFF:
        return ()
    found = " ".join(mode.configured).lower()
    return (
        Remedy(
            knob="link.fec",
            subject=link,
            value="rs",
            end=end.end,
            commands=(f"ethtool --set-fec {link} encoding rs",),
            undo=(f"ethtool --set-fec {link} encoding {found}",) if len(mode.configured) == 1 else (),
            note="renegotiates: the link drops, and stays down unless the port behind it runs the same FEC",
        ),
    )


def glance(view: View) -> Finding | None:
    """The blocks that FEC could not mend."""
    return unmended_blocks(view, CAUSE)


CHECK = Check(id=CAUSE, cause=CAUSE, diagnose=diagnose, alone=True, glance=glance)
