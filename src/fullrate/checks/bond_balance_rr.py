"""The sender's bond puts the packets of one flow on several members in turn, and they overtake each other.

balance-rr is the one mode that does so (Documentation/networking/bonding.rst, "balance-rr"); between two hosts joined
back to back it may work well, so only reordering that TCP itself reports makes it a problem.
"""

from fullrate.checks._bonds import ROUND_ROBIN, bond_of
from fullrate.checks._common import clear, is_full, link_of, measured, not_applicable, problem, saw, without_tcp
from fullrate.checks._count_glance import round_robin
from fullrate.checks._loss import NOTABLE, cost, loss
from fullrate.checks._reorder import reordering
from fullrate.records.facts.bonding import Bond
from fullrate.records.facts.net import TcpSocket
from fullrate.records.finding import Confidence, Evidence, Finding, Remedy
from fullrate.records.leaf import Check
from fullrate.records.trial import Trial
from fullrate.records.view import EndView, View

CAUSE = "bond-balance-rr"


def diagnose(view: View) -> Finding:
    """Whether the sender's round-robin bond caps this direction."""
    end, link = view.sender, link_of(view.sender)
    if without_tcp(view):
        return not_applicable(CAUSE, "only UDP was sent: the order of its packets slows nobody down")
    bond = bond_of(end)
    if bond is None:
        return not_applicable(CAUSE, f"{link} is no bond", end=end.end, subject=link)
    trial = view.trial()
    evidence = [saw(end.source_of(bond), "mode", bond.mode), measured(trial)]
    if bond.mode != ROUND_ROBIN or is_full(view, trial):
        return clear(CAUSE, f"{bond.subject} does not slow the test down", evidence, end=end.end, subject=bond.subject)
    return _judge(view, trial, bond, evidence)


def _judge(view: View, trial: Trial, bond: Bond, evidence: list[Evidence]) -> Finding:
    end, found = view.sender, loss(view, trial)
    seen = reordering(found)
    if seen.again is None or seen.seen is None:
        raise end.missing(TcpSocket)
    evidence += [*found.evidence, saw(found.connections[0].source, "reord_seen", f"+{seen.seen}")]
    if found.ratio < NOTABLE or not seen.proven:
        return clear(CAUSE, "the packets stay in order", evidence, end=end.end, subject=bond.subject)
    return problem(
        CAUSE,
        f"{bond.subject} sends the packets of one flow by all members in turn (balance-rr): they overtake each other",
        evidence,
        end=end.end,
        subject=bond.subject,
        confidence=Confidence.HIGH,
        costs_bps=cost(view, trial, found, found.ratio * seen.share),
        remedies=(_remedy(end, bond),),
    )


def _remedy(end: EndView, bond: Bond) -> Remedy:
    return Remedy(
        knob="bond.mode",
        subject=bond.subject,
        value="802.3ad or balance-xor",
        end=end.end,
        commands=(),
        undo=(),
        note="the mode of a bond can be set only while it has no members: plan an interruption, and set the switch to"
        " match; one flow then has the rate of one member",
    )


def glance(view: View) -> Finding | None:
    """That a bond is set so."""
    return round_robin(view, CAUSE)


CHECK = Check(id=CAUSE, cause=CAUSE, diagnose=diagnose, glance=glance)
