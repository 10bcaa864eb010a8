"""Datagrams are larger than the link's MTU: each travels in fragments, and losing one loses it whole.

The sender counts the fragments it makes, the receiver those that came and the datagrams it put together of them
(IpFragCreates, IpReasmReqds, IpReasmOKs, with Ip6 over IPv6; RFC 4293, ipSystemStatsTable). Those it gives up it counts
after 30 s (net.ipv4.ipfrag_time): too late for a test.
"""

from fullrate.checks._common import clear, measured, not_applicable, problem
from fullrate.checks._fragments import SELECTIVE, Fragments, fragments
from fullrate.checks._told_fragments import told_fragments
from fullrate.checks._udp import arrives, cost, lost, udp_trial
from fullrate.records.finding import Confidence, Finding, Remedy
from fullrate.records.leaf import Check
from fullrate.records.trial import Trial
from fullrate.records.units import BitsPerSecond
from fullrate.records.view import EndView, View

CAUSE = "udp-ip-fragmentation"
_NOTABLE = 0.05  # torn: both counters are read a moment apart, and the last datagrams are still on their way


def diagnose(view: View) -> Finding:
    """Whether this direction's datagrams are sent in fragments."""
    trial = udp_trial(view)
    if trial is None:
        return not_applicable(CAUSE, "no UDP was sent")
    shown = told_fragments(view, CAUSE) if trial.told else None
    if shown is not None:
        return shown
    found = fragments(view, trial)
    evidence = [*found.evidence, measured(trial)]
    if not found.usual:
        return clear(CAUSE, "the datagrams fit into the link's packets", evidence)
    costs = 0.0 if found.torn < _NOTABLE or arrives(trial) else _cost(view, trial, found)
    return problem(
        CAUSE,
        f"each datagram travels in {found.pieces:.1f} fragments"
        + (f"; {found.torn:.1%} could not be put together again" if costs else ", at no cost here"),
        evidence,
        end=view.sender.end,
        subject=view.sender.interface or "",
        confidence=Confidence.HIGH if costs else Confidence.MEDIUM,
        costs_bps=costs,
        remedies=(_remedy(view.sender),),
    )


def _cost(view: View, trial: Trial, found: Fragments) -> BitsPerSecond:
    """All of the loss where fragments are what is dropped; else what a whole packet each would not have lost."""
    share = 1.0 if found.torn >= SELECTIVE else 1 - 1 / max(1.0, found.pieces)
    return cost(view, lost(view, trial), share)


def _remedy(end: EndView) -> Remedy:
    return Remedy(
        knob="test.datagram_size",
        subject=end.interface or "",
        value="MTU - 28 (IPv4), MTU - 48 (IPv6)",
        end=end.end,
        commands=(),
        undo=(),
        note="send smaller datagrams: `iperf3 -u -l SIZE`; every hop between must carry the same MTU",
    )


CHECK = Check(id=CAUSE, cause=CAUSE, diagnose=diagnose)
