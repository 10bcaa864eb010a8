"""Packets overtake each other on the path, and TCP takes the late ones for lost.

The receiver reports what it got twice (duplicate SACK, RFC 2883), so the sender knows which retransmits were needless
(tcpi_dsack_dups), and it counts how often packets were seen out of order (tcpi_reord_seen; include/uapi/linux/tcp.h).
Packets sprayed over several paths or members of a bond, one flow on several, are the usual reason.
"""

from fullrate.checks._bonds import spraying
from fullrate.checks._common import (
    clear,
    is_full,
    measured,
    not_applicable,
    on_loopback,
    problem,
    rate,
    saw,
    without_tcp,
)
from fullrate.checks._loss import NOTABLE, Loss, cost, loss
from fullrate.checks._reorder import Reordering, cut, reordering
from fullrate.records.facts.net import TcpSocket
from fullrate.records.finding import Confidence, Evidence, Finding, Remedy
from fullrate.records.leaf import Check
from fullrate.records.trial import Trial
from fullrate.records.units import BitsPerSecond
from fullrate.records.view import View

CAUSE = "reordering"
_KEY = "net.ipv4.tcp_max_reordering"  # of both IP versions, in spite of its name
_MATTERS = 0.02  # of the ceiling, as for loss
_OFTEN = 0.001  # of the segments: what a route that changes once does to a flow stays far below


def diagnose(view: View) -> Finding:
    """Whether reordering caps this direction."""
    if on_loopback(view) or without_tcp(view):
        return not_applicable(CAUSE, "no TCP connection of the test crosses a path")
    trial = view.trial()
    found = loss(view, trial)
    evidence = [*found.evidence, measured(trial)]
    seen = reordering(found)
    if seen.again is None or seen.seen is None:
        raise view.sender.missing(TcpSocket)
    source = found.connections[0].source
    evidence += [saw(source, "dsack_dups", f"+{seen.again}"), saw(source, "reord_seen", f"+{seen.seen}")]
    if not seen.ever:
        return clear(CAUSE, "no packet overtook another", evidence)
    if is_full(view, trial):
        return clear(CAUSE, "packets come out of order, and the link is full in spite of it", evidence)
    if spraying(view.sender) is not None:
        return clear(CAUSE, "the sender's own bond spreads the packets", evidence)
    return _judge(view, trial, found, seen, evidence)


def _judge(view: View, trial: Trial, found: Loss, seen: Reordering, evidence: list[Evidence]) -> Finding:
    if found.ratio < NOTABLE:
        return _slow(view, trial, found, seen, evidence)
    if not seen.proven:
        return clear(CAUSE, "what was sent again was lost, not late", evidence)
    price = cost(view, trial, found, found.ratio * seen.share)
    if price < _MATTERS * view.ceiling:
        return clear(CAUSE, "packets come out of order: TCP can fill the link in spite of it", evidence)
    words = f"packets overtake each other: {seen.share:.0%} of what was sent again had arrived"
    return _problem(view, words, price, Confidence.HIGH, evidence)


def _slow(view: View, trial: Trial, found: Loss, seen: Reordering, evidence: list[Evidence]) -> Finding:
    """Little is sent again, for TCP has learned to wait; what it took for a loss at first may cost it still."""
    early, source = cut(view, trial, found), found.connections[0].source
    evidence += [
        saw(source, "needless of all sent again", f"{early.needless} of {early.again}"),
        saw(source, "congestion window all in flight", f"{early.limited:.0%} of the samples"),
    ]
    often = (seen.seen or 0) >= _OFTEN * found.sent
    price = view.ceiling - min(view.ceiling, max(rate(trial), early.holds))
    if not (often and early.proven) or price < _MATTERS * view.ceiling:
        return clear(CAUSE, f"{found.ratio:.2%} sent again: reordering does not hold TCP back", evidence)
    words = "packets overtake each other: TCP took the first for lost, and its window grows back slowly"
    return _problem(view, words, price, Confidence.MEDIUM, evidence)


def _problem(view: View, words: str, price: BitsPerSecond, sure: Confidence, evidence: list[Evidence]) -> Finding:
    return problem(CAUSE, words, evidence, subject="path", confidence=sure, costs_bps=price, remedies=(_remedy(view),))


def _remedy(view: View) -> Remedy:
    return Remedy(
        knob=f"sysctl.{_KEY}",
        subject=_KEY,
        value="",
        end=view.sender.end,
        commands=(),
        undo=(),
        note="keep each flow on one path: a bond's mode balance-rr, per-packet load balancing of routers and switches"
        f" spread it; {_KEY} only lets TCP bear more of it",
    )


CHECK = Check(id=CAUSE, cause=CAUSE, diagnose=diagnose)
