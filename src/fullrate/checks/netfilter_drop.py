"""A packet filter rule on one of the two hosts discards packets of the test.

The rule's own counter names the culprit: it grew during the trial by about what the sender had to send again.
"""

from fullrate.checks._common import clear, is_full, measured, problem, unknown
from fullrate.checks._loss import NOTABLE, Drop, Loss, cost, loss, rule_drops
from fullrate.records.facts.net import FilterChain, FilterRule
from fullrate.records.finding import Ask, Confidence, Evidence, Finding, Remedy
from fullrate.records.leaf import Check
from fullrate.records.trial import Trial
from fullrate.records.view import View

CAUSE = "netfilter-drop"
_SHARE = 0.2  # of the retransmits: below it the rule dropped something else


def diagnose(view: View) -> Finding:
    """Whether a filter rule caps this direction."""
    ends = (view.sender, view.receiver)
    unread = [ask for end in ends if end.gaps(FilterRule) for ask in end.missing(FilterRule).asks]
    trial = view.trial()
    found = loss(view, trial)
    evidence = [*found.evidence, measured(trial)]
    if is_full(view, trial) or found.ratio < NOTABLE:
        return clear(CAUSE, "no filter takes packets of the test", evidence)
    hits = [(delta.after, drop) for end in ends for delta, drop in rule_drops(view, trial, end)]
    worst = max(hits, key=lambda hit: hit[1].segments, default=None)
    if worst is not None and worst[1].segments >= _SHARE * found.segments:
        return _problem(view, trial, found, worst, evidence)
    asks = unread + _silent(view)
    if asks:
        return unknown(
            CAUSE, "packets are lost, and not every filter could be read or counts", evidence, asks=tuple(asks)
        )
    return clear(CAUSE, "no filter rule's counter grew with the loss", evidence)


def _silent(view: View) -> list[Ask]:
    return [
        Ask(end=end.end, text=f"add a counter on the {end.end} end to rule {rule.subject}: {rule.text}")
        for end in (view.sender, view.receiver)
        for rule in end.all(FilterRule)
        if rule.packets is None
    ] + [
        Ask(
            end=end.end,
            text=f"chain {chain.subject} on the {end.end} end drops by policy: add a counting rule at its end",
        )
        for end in (view.sender, view.receiver)
        for chain in end.all(FilterChain)
        if chain.policy == "drop"
    ]


def _problem(
    view: View, trial: Trial, found: Loss, worst: tuple[FilterRule, Drop], evidence: list[Evidence]
) -> Finding:
    rule, drop = worst
    share = min(1.0, drop.segments / found.segments) if found.segments else 1.0
    where = f"{rule.family} {rule.table} {rule.chain}"
    return problem(
        CAUSE,
        f"a filter rule on {drop.end.target or drop.end.end} discards packets: {rule.text} (chain {where})",
        [drop.evidence, *evidence],
        end=drop.end.end,
        subject=rule.subject,
        confidence=Confidence.HIGH,
        costs_bps=cost(view, trial, found, found.ratio * share),
        remedies=(
            Remedy(
                knob="netfilter.rule",
                subject=rule.subject,
                value="removed",
                end=drop.end.end,
                commands=(f"nft delete rule {where} handle {rule.handle}",),
                undo=(f"nft add rule {where} {rule.text}",),
                note="somebody put this rule there: ask why before removing it",
            ),
        ),
    )


CHECK = Check(id=CAUSE, cause=CAUSE, diagnose=diagnose)
