"""Packets are lost between the hosts: the sender retransmits, and neither host counts a discard.

A loss that TCP sees is only the path's after local filters, queues, rings and backlogs have been read and cleared.
Retransmits mean little by themselves: what counts is whether TCP could fill the link at this loss and RTT.
"""

from fullrate.checks._common import clear, is_full, measured, problem, unknown
from fullrate.checks._loss import NOTABLE, Loss, cost, local_drops, loss
from fullrate.records.facts.net import FilterChain, FilterRule
from fullrate.records.finding import Ask, Confidence, Evidence, Finding
from fullrate.records.leaf import Check
from fullrate.records.trial import Trial
from fullrate.records.view import EndView, View

CAUSE = "path-loss"
_EXPLAINED = 0.5  # of the retransmits: with so many found on a host, the path is not the cause
_MATTERS = 0.02  # of the ceiling


def diagnose(view: View) -> Finding:
    """Whether loss on the path caps this direction."""
    trial = view.trial()
    found = loss(view, trial)
    evidence = [*found.evidence, measured(trial)]
    if is_full(view, trial) or found.ratio < NOTABLE:
        return clear(CAUSE, f"{found.ratio:.2%} retransmitted: no loss that matters", evidence)
    drops = local_drops(view, trial)
    evidence += [drop.evidence for drop in drops]
    if sum(drop.segments for drop in drops) >= _EXPLAINED * found.segments:
        where = f"{drops[0].place} on {drops[0].end.interface}"
        return clear(CAUSE, f"the lost packets were dropped on a host, not on the path: {where}", evidence)
    unseen = [ask for end in (view.sender, view.receiver) for ask in _unseen(end)]
    if unseen:
        return unknown(CAUSE, "packets are lost, but a host's filters could not be read", evidence, asks=tuple(unseen))
    return _judge(view, trial, found, evidence)


def _judge(view: View, trial: Trial, found: Loss, evidence: list[Evidence]) -> Finding:
    price = cost(view, trial, found, found.ratio)
    if price < _MATTERS * view.ceiling:
        return clear(CAUSE, f"{found.ratio:.2%} lost on the path: TCP can fill the link in spite of it", evidence)
    return problem(
        CAUSE,
        f"{found.ratio:.2%} of the packets are lost between the hosts; neither host dropped them",
        evidence,
        subject="path",
        confidence=Confidence.HIGH if found.ratio > 2 * NOTABLE else Confidence.MEDIUM,
        costs_bps=price,
    )


def _unseen(end: EndView) -> list[Ask]:
    """What hides a local drop: rules not readable, or rules that discard without counting."""
    if end.gaps(FilterRule):
        return list(end.missing(FilterRule).asks)
    silent = [rule for rule in end.all(FilterRule) if rule.packets is None]
    asks = [
        Ask(end=end.end, text=f"add a counter on the {end.end} end to: {rule.subject} ({rule.text})") for rule in silent
    ]
    return asks + [
        Ask(end=end.end, text=f"chain {chain.subject} on the {end.end} end drops by policy, uncounted")
        for chain in end.all(FilterChain)
        if chain.policy == "drop"
    ]


CHECK = Check(id=CAUSE, cause=CAUSE, diagnose=diagnose)
