"""Datagrams that travel in fragments: how many each, and how many were never whole again."""

from dataclasses import dataclass

from fullrate.checks._udp import udp_counted
from fullrate.records.facts.net import ProtocolCounters
from fullrate.records.finding import Evidence
from fullrate.records.trial import Trial
from fullrate.records.view import View

_USUAL = 0.5  # fragments a datagram: below it the test's own datagrams are not what is cut up
SELECTIVE = 0.5  # torn: a loss that takes packets of every kind alike tears some, no path so bad is usable


@dataclass(frozen=True, slots=True, kw_only=True)
class Fragments:
    """The fragments of a UDP trial; `torn`: the share of its datagrams that came in part only, or not at all."""

    pieces: float  # of each datagram
    usual: bool  # whether the test's datagrams are what is cut up
    torn: float
    evidence: tuple[Evidence, ...]


def fragments(view: View, trial: Trial) -> Fragments:
    """What was cut up in a UDP trial. Raises Missing."""
    made = udp_counted(view, trial, view.sender, "IpFragCreates")
    sent = udp_counted(view, trial, view.sender, "UdpOutDatagrams")
    if not sent.total:
        raise view.sender.missing(ProtocolCounters)
    pieces, seen = made.total / sent.total, (*made.evidence, *sent.evidence)
    if pieces < _USUAL:
        return Fragments(pieces=pieces, usual=False, torn=0.0, evidence=seen)
    came = udp_counted(view, trial, view.receiver, "IpReasmReqds")
    whole = udp_counted(view, trial, view.receiver, "IpReasmOKs")
    torn = max(0.0, 1 - whole.total * max(1.0, pieces) / came.total) if came.total else 1.0
    return Fragments(pieces=pieces, usual=True, torn=torn, evidence=(*seen, *came.evidence, *whole.evidence))
