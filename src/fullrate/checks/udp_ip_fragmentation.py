"""Datagrams are larger than the link's MTU: each travels in fragments, and losing one loses it whole.

The sender counts the fragments it makes, the receiver the datagrams it could not put together again (IpFragCreates,
IpReasmFails, with Ip6 over IPv6; RFC 4293, ipSystemStatsTable).
"""

from fullrate.checks._common import clear, is_full, measured, not_applicable, problem, rate
from fullrate.checks._udp import NOTABLE, udp_counted, udp_trial
from fullrate.records.facts.net import ProtocolCounters
from fullrate.records.finding import Confidence, Finding, Remedy
from fullrate.records.leaf import Check
from fullrate.records.view import EndView, View

CAUSE = "udp-ip-fragmentation"
_USUAL = 0.5  # fragments a datagram: below it the test's own datagrams are not what is cut up


def diagnose(view: View) -> Finding:
    """Whether this direction's datagrams are sent in fragments."""
    trial = udp_trial(view)
    if trial is None:
        return not_applicable(CAUSE, "no UDP was sent")
    made = udp_counted(view, trial, view.sender, "IpFragCreates")
    sent = udp_counted(view, trial, view.sender, "UdpOutDatagrams")
    if not sent.total:
        raise view.sender.missing(ProtocolCounters)
    evidence = [*made.evidence, *sent.evidence, measured(trial)]
    if made.total < _USUAL * sent.total:
        return clear(CAUSE, "the datagrams fit into the link's packets", evidence)
    failed = udp_counted(view, trial, view.receiver, "IpReasmFails")
    lost = min(1.0, failed.total / sent.total)
    costs = lost * rate(trial) if lost >= NOTABLE and not is_full(view, trial) else 0.0
    return problem(
        CAUSE,
        f"each datagram travels in {made.total / sent.total:.1f} fragments"
        + (f"; {lost:.1%} could not be put together again" if costs else ", at no cost here"),
        [*evidence, *failed.evidence],
        end=view.sender.end,
        subject=view.sender.interface or "",
        confidence=Confidence.HIGH if costs else Confidence.MEDIUM,
        costs_bps=costs,
        remedies=(_remedy(view.sender),),
    )


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
