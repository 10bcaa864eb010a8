"""Why a receiver's NIC discards frames while the CPU that takes them has room: one cause is named, the surest first."""

from collections.abc import Callable

from fullrate.checks._common import clear, link_of, not_applicable, problem
from fullrate.checks._overrun import Overrun, State, overrun
from fullrate.checks._overrun_signs import Sign, bus_waits, replays, ring_can_grow, sleeps, timer_fills_ring
from fullrate.records.facts.link import Link
from fullrate.records.finding import Confidence, Finding, Remedy
from fullrate.records.view import Missing, View

SIGNS: dict[str, Callable[[View, Overrun], Sign]] = {
    "pcie-signal-errors": replays,
    "pcie-stall": bus_waits,
    "coalescing-too-high": timer_fills_ring,
    "rx-ring-too-small": ring_can_grow,
    "pcie-aspm": sleeps,
}


def why(view: View, found: Overrun) -> str | None:
    """The first cause whose evidence is known to be there; None when none is."""
    return next((cause for cause, sign in SIGNS.items() if _known(view, found, sign)), None)


def _known(view: View, found: Overrun, sign: Callable[[View, Overrun], Sign]) -> bool:
    try:
        return sign(view, found).holds
    except Missing:
        return False


def judge(view: View, cause: str, remedies: Callable[[View], tuple[Remedy, ...]]) -> Finding:
    """Whether `cause` is why the receiver's NIC discards frames in this direction."""
    end, link = view.receiver, link_of(view.receiver)
    if end.need(Link, link).kind is not None:
        return not_applicable(cause, f"{link} is no physical link", end=end.end, subject=link)
    found = overrun(view)
    if found.state is not State.OPEN:
        return clear(cause, found.state, found.evidence, end=end.end, subject=link)
    sign = SIGNS[cause](view, found)
    evidence = (*found.evidence, *sign.evidence)
    other = why(view, found)
    if not sign.holds or other != cause:
        words = f"the discarded frames have another cause: {other}" if sign.holds else sign.words
        return clear(cause, words, evidence, end=end.end, subject=link)
    return problem(
        cause,
        f"{link} discarded {found.frames:,} frames while its CPU had room: {sign.words}",
        evidence,
        end=end.end,
        subject=link,
        confidence=Confidence.HIGH if cause == "rx-ring-too-small" else Confidence.MEDIUM,
        costs_bps=found.price,
        remedies=remedies(view),
    )
