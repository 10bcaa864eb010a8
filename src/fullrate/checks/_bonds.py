"""The bond that an end sends or receives by, and what each of its members carried."""

from dataclasses import dataclass

from fullrate.checks._common import growth
from fullrate.checks._qdiscs import stack
from fullrate.records.facts.bonding import Bond
from fullrate.records.facts.link import Link, LinkCounters
from fullrate.records.trial import Trial
from fullrate.records.units import Bytes
from fullrate.records.view import EndView, View

ROUND_ROBIN = "balance-rr"


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """One member of a bond and what it carried during a trial."""

    link: str
    size: Bytes
    source: str


def bond_of(end: EndView) -> Bond | None:
    """The bond under test or below the link under test; None when there is none. Raises Missing."""
    end.need(Link, end.interface)
    for name in stack(end):
        link = end.want(Link, name)
        if link is not None and link.kind == "bond":
            return end.need(Bond, name)
    return None


def spraying(end: EndView) -> Bond | None:
    """The sender's bond that spreads the packets of one flow; None as well where that is not known."""
    bonds = (end.want(Bond, name) for name in stack(end))
    return next((bond for bond in bonds if bond is not None and bond.mode == ROUND_ROBIN), None)


def members(view: View, trial: Trial, end: EndView, bond: Bond) -> tuple[Member, ...]:
    """The members that are up, the busiest first; sent bytes at the sender, received ones at the receiver. Missing."""
    found, window = [], view.window(trial, end)
    for link in end.all(Link):
        if link.master != bond.subject or link.operstate != "UP":
            continue
        delta = window.need(LinkCounters, link.subject)
        before, after = delta.before, delta.after
        pair = (before.tx_bytes, after.tx_bytes) if end.end is view.sender.end else (before.rx_bytes, after.rx_bytes)
        found.append(Member(link=link.subject, size=growth(end, LinkCounters, *pair), source=delta.source))
    return tuple(sorted(found, key=lambda member: -member.size))
