"""A list of filter rules so long that walking it fills a CPU.

Every packet passes the rules of a chain until one of them decides, so thousands of rules that do not match are work for
each packet. Sets and maps (nft), ipset, or a rule at the top that accepts established connections make it short.
"""

from fullrate.checks._common import clear, measured, problem
from fullrate.checks._cores import at_ease, gain, limit, of_both
from fullrate.checks._filters import whole
from fullrate.checks._rules import walk
from fullrate.records.facts.net import FilterChain
from fullrate.records.finding import Confidence, Finding, Remedy
from fullrate.records.leaf import Check
from fullrate.records.trial import Trial
from fullrate.records.view import EndView, View

CAUSE = "netfilter-rule-cost"


def diagnose(view: View) -> Finding:
    """Whether either end's filter rules are the work that fills its CPU."""
    return of_both(view, _side)


def _side(view: View, trial: Trial, end: EndView) -> Finding:
    core = limit(view, trial, end)
    if core is None:
        return at_ease(CAUSE, view, trial, end)
    evidence = [core.evidence, measured(trial)]
    found = walk(view, trial, end, core)
    if not whole(end):
        raise end.missing(FilterChain)
    if found is None:
        return clear(CAUSE, f"no filter rules on the {end.end} end", evidence, end=end.end)
    evidence += found.evidence
    if not found.heavy:
        return clear(CAUSE, f"{found.rules} filter rules are no work to speak of", evidence, end=end.end)
    return problem(
        CAUSE,
        f"{found.rules:,} filter rules that each packet passes fill CPU {core.cpu} of {end.target or end.end}",
        evidence,
        end=end.end,
        subject=found.chain,
        confidence=Confidence.MEDIUM,  # what a rule takes is known from another machine
        costs_bps=gain(view, trial, core.busy * (1 - found.share)),
        remedies=(_remedy(end, found.chain),),
    )


def _remedy(end: EndView, chain: str) -> Remedy:
    return Remedy(
        knob="netfilter.chain",
        subject=chain,
        value="",
        end=end.end,
        commands=(),
        undo=(),
        note="put `ct state established,related accept` first, or the addresses and ports of many like rules into one"
        " set (nft(8), SETS; ipset(8)); who wrote these rules must do it",
    )


CHECK = Check(id=CAUSE, cause=CAUSE, diagnose=diagnose)
