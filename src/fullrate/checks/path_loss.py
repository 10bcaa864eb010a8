"""Packets are lost between the hosts: the sender retransmits (or datagrams miss), and neither host counts a discard.

A loss that TCP sees is only the path's after local filters, queues, rings and backlogs have been read and cleared.
Retransmits mean little by themselves: what counts is whether TCP could fill the link at this loss and RTT.
"""

from fullrate.checks._common import (
    clear,
    is_full,
    measured,
    not_applicable,
    on_loopback,
    problem,
    rate,
    saw,
    unknown,
    without_tcp,
)
from fullrate.checks._drops import local_drops
from fullrate.checks._filters import unseen_anywhere
from fullrate.checks._loss import NOTABLE, Loss, cost, loss
from fullrate.checks._path_datagrams import datagrams_lost
from fullrate.checks._reorder import reordering
from fullrate.checks._shapers import beside_a_shaper
from fullrate.checks._tcp import window_bound
from fullrate.records.finding import Confidence, Evidence, Finding
from fullrate.records.leaf import Check
from fullrate.records.trial import Trial
from fullrate.records.view import View

CAUSE = "path-loss"
_EXPLAINED = 0.5  # of the retransmits: with so many found on a host, the path is not the cause
_MATTERS = 0.02  # of the ceiling
_CROWDED = 0.2  # of the ceiling, as competing-traffic has it
# A connection through which nothing passes still sends again by its timer: after 0.2 s and then twice as long each time
# (RFC 6298, 5.5; TCP_RTO_MIN), 6 times in 20 s, after one tail loss probe (RFC 8985). That is no measure of loss.
_STALLED = 0.02  # of the ceiling
_BY_TIMER = 8  # a connection


def diagnose(view: View) -> Finding:
    """Whether loss on the path caps this direction."""
    if on_loopback(view):
        return not_applicable(CAUSE, "the test does not leave the host")
    if without_tcp(view):
        return datagrams_lost(view, view.trial("udp"))
    trial = view.trial()
    found = loss(view, trial)
    evidence = [*found.evidence, measured(trial)]
    if found.ratio < NOTABLE or is_full(view, trial):
        return clear(CAUSE, f"{found.ratio:.2%} retransmitted: no loss that matters", evidence)
    if rate(trial) < _STALLED * view.ceiling and found.segments <= _BY_TIMER * len(found.connections):
        return unknown(CAUSE, "the connection stalls: too few packets were sent to tell a loss", evidence)
    return _located(view, trial, found, evidence)


def _located(view: View, trial: Trial, found: Loss, evidence: list[Evidence]) -> Finding:
    """Where the packets were lost."""
    if reordering(found).proven:
        return clear(CAUSE, "the packets were late, not lost: they overtake each other", evidence)
    if window_bound(view, found.connections):
        return clear(CAUSE, "the receiver's window holds the flow back, not what its bursts lose", evidence)
    if (trial.other_throughput or 0.0) >= _CROWDED * view.ceiling:
        evidence.append(
            saw(f"trial/{trial.id}", "other traffic on the link, bit/s", round(trial.other_throughput or 0))
        )
        return clear(CAUSE, "the link carries other traffic: a full queue on the way drops what is too much", evidence)
    drops = local_drops(view, trial)
    evidence += [drop.evidence for drop in drops]
    if sum(drop.segments for drop in drops) >= _EXPLAINED * found.segments:
        where = f"{drops[0].place} on {drops[0].end.interface}"
        return clear(CAUSE, f"the lost packets were dropped on a host, not on the path: {where}", evidence)
    hidden = unseen_anywhere(view, trial)
    if hidden:
        why = "packets are lost, and not every filter rule could be read or counts"
        return unknown(CAUSE, why, evidence, asks=hidden)
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
        costs_bps=beside_a_shaper(view, trial, price),
    )


CHECK = Check(id=CAUSE, cause=CAUSE, diagnose=diagnose)
