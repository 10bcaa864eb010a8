"""A packet filter rule on one of the two hosts discards packets of the test.

The rule's own counter names the culprit: it grew during the trial by about what the sender had to send again. What
the sender's own output discards, TCP takes as congestion and mostly keeps to itself (net/ipv4/tcp_output.c,
tcp_transmit_skb): there the counter alone tells, and with nothing else in flight TCP waits for its timer.
"""

from fullrate.checks import _udp
from fullrate.checks._common import clear, is_full, measured, problem, unknown, without_tcp
from fullrate.checks._count_glance import drops_the_test
from fullrate.checks._filters import Chain, RuleDrops, chain_of_rule, most, unseen, unseen_anywhere
from fullrate.checks._loss import NOTABLE, Loss, cost, loss, stalled
from fullrate.checks._shapers import beside_a_shaper
from fullrate.checks._tcp import if_not_held
from fullrate.records.facts.net import FilterRule
from fullrate.records.finding import Confidence, Evidence, Finding, Remedy
from fullrate.records.leaf import Check
from fullrate.records.trial import Trial
from fullrate.records.units import BitsPerSecond
from fullrate.records.view import EndView, View

CAUSE = "netfilter-drop"
_SHARE = 0.2  # of the retransmits: below it the rule dropped something else


def diagnose(view: View) -> Finding:
    """Whether a filter rule caps this direction."""
    if without_tcp(view):
        return _datagrams(view, view.trial("udp"))
    trial = view.trial()
    found = loss(view, trial)
    evidence = [*found.evidence, measured(trial)]
    worst, where = most(view, trial)
    if max(found.ratio, _hidden(view, found, worst, where)) < NOTABLE or is_full(view, trial):
        return _quiet(view, trial, evidence)
    if worst is not None and worst.segments >= _SHARE * found.segments:
        return _problem(view, trial, found, worst, where, evidence)
    asks = unseen_anywhere(view, trial)
    if asks:
        why = "packets are lost, and not every filter rule could be read or counts"
        return unknown(CAUSE, why, evidence, asks=asks)
    return clear(CAUSE, "no filter rule's counter grew with the loss", evidence)


def _quiet(view: View, trial: Trial, evidence: list[Evidence]) -> Finding:
    """Nothing was lost: the sender's own output may discard all the same, which only its rules would tell."""
    asks = unseen(view, trial, view.sender)
    if asks and not is_full(view, trial):
        why = "nothing is lost, but what the sender's own filter discards is not seen"
        return unknown(CAUSE, why, evidence, asks=asks)
    return clear(CAUSE, "no filter takes packets of the test", evidence)


def _datagrams(view: View, trial: Trial) -> Finding:
    """Whether a filter rule takes what the receiving program misses of a UDP test. Raises Missing."""
    found = _udp.lost(view, trial)
    evidence = [*found.evidence, measured(trial)]
    if found.ratio < _udp.NOTABLE:
        return clear(CAUSE, "no filter takes datagrams of the test", evidence)
    worst, where = most(view, trial)
    share = min(1.0, worst.segments / found.datagrams) if worst is not None else 0.0
    if worst is not None and share >= _SHARE:
        return _named(worst, where, [worst.evidence, *evidence], _udp.cost(view, found, share))
    asks = unseen_anywhere(view, trial)
    if asks and not _udp.overfills(view, trial):
        why = "datagrams are lost, and not every filter rule could be read or counts"
        return unknown(CAUSE, why, evidence, asks=asks)
    return clear(CAUSE, "no filter rule's counter grew with the loss", evidence)


def _hidden(view: View, found: Loss, worst: RuleDrops | None, end: EndView) -> float:
    """The share of the segments that the sender's own output discarded, which it need not send again."""
    return worst.segments / found.sent if worst is not None and end is view.sender else 0.0


def _problem(  # noqa: PLR0913, PLR0917 - one finding is made of all of these
    view: View, trial: Trial, found: Loss, worst: RuleDrops, end: EndView, evidence: list[Evidence]
) -> Finding:
    waiting = stalled(view, trial, found) if end is view.sender else 0.0
    share = min(1.0, worst.segments / found.segments) if found.segments else 1.0
    lossy = cost(view, trial, found, max(found.ratio * share, _hidden(view, found, worst, end)))
    price = beside_a_shaper(view, trial, max(lossy, if_not_held(view, trial, waiting)))
    return _named(worst, end, [worst.evidence, *evidence], price)


def _named(worst: RuleDrops, end: EndView, evidence: list[Evidence], costs: BitsPerSecond) -> Finding:
    rule = worst.rule
    chain = chain_of_rule(end, rule)
    return problem(
        CAUSE,
        f"a filter rule on {end.target or end.end} discards packets: {rule.text} ({_where(rule, chain)})",
        evidence,
        end=end.end,
        subject=rule.subject,
        confidence=Confidence.HIGH,
        costs_bps=costs,
        remedies=(_remedy(end, rule, chain),),
    )


def _where(rule: FilterRule, chain: Chain) -> str:
    """The chain by its name; that of a legacy table as iptables names it, for nft does not list it."""
    return f"chain {chain.words}" if rule.program is None else f"{rule.program} -t {rule.table}, chain {rule.chain}"


def _removal(rule: FilterRule, chain: Chain) -> str:
    if rule.program is None:
        return f"nft delete rule {chain.words} handle {rule.handle}"
    where = f"{rule.program} -t {rule.table}"
    return f"{where} -D {rule.chain} {rule.handle}" if rule.handle else f"{where} -P {rule.chain} ACCEPT"


def _remedy(end: EndView, rule: FilterRule, chain: Chain) -> Remedy:
    return Remedy(
        knob="netfilter.rule",
        subject=rule.subject,
        value="removed" if rule.handle else "accept",
        end=end.end,
        commands=(chain.save, _removal(rule, chain)),
        undo=(chain.restore,),
        note="somebody put this rule there: ask why before removing it; the first command saves the rules in a file of"
        " the current folder, the undo loads that file",
    )


def glance(view: View) -> Finding | None:
    """A rule about a port of the test that counted packets."""
    return drops_the_test(view, CAUSE)


CHECK = Check(id=CAUSE, cause=CAUSE, diagnose=diagnose, glance=glance)
