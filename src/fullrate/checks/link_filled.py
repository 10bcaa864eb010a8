"""The rate is the goodput ceiling of the link: nothing to fix.

Full means a receiver throughput of at least 98 % of the ceiling with no 1 s interval under 90 % of the median. A run
whose interval straddles the bar, that reached it but was unsteady, or that a saturated CPU may have held down is made
again: a spell of the neighbours' load can outlast one run. UDP is to carry the rate that was asked for, and to lose
less than 0.1 %.
"""

from fullrate.checks._common import (
    clear,
    conclude,
    measured,
    not_applicable,
    on_loopback,
    problem,
    rate,
    saw,
    unknown,
)
from fullrate.checks._cpu import SATURATED, busiest_cpu
from fullrate.checks._full_glance import as_a_full_link
from fullrate.checks._udp import arrives, overfills
from fullrate.records.facts.link import Link
from fullrate.records.finding import Ask, Confidence, Evidence, Finding, Judgement
from fullrate.records.goodput import FULL_SHARE
from fullrate.records.leaf import Check
from fullrate.records.trial import Trial
from fullrate.records.units import BitsPerSecond
from fullrate.records.view import Missing, View

CAUSE = "link-filled"
# A healthy flow through a short queue shows some retransmits; above this share the report says so, it decides nothing.
WITH_LOSS = 0.0001
_RUNS = 3  # two that agree, or the majority of three
# No link carries more than its goodput. Without TCP timestamps a frame holds 0.8 % more payload than reckoned, a
# shaper's burst adds under 1 % (measured, tbf): what lies so far above shows that the speed is only a label.
_ABOVE = 1.05


def diagnose(view: View) -> Finding:
    """Whether this direction is full."""
    if on_loopback(view):
        return not_applicable(CAUSE, "the test does not leave the host: there is no link to fill")
    ceiling, trial = view.ceiling, view.trial()
    runs = [run for run in view.runs(trial.spec) if run.throughput is not None]
    evidence = [measured(run) for run in runs] + [saw("ceiling", "goodput_bps", round(ceiling))]
    if rate(trial) > _ABOVE * ceiling and view.promise.link_speed is None:
        asks = (Ask(text="state the promised rate: --link-speed 1G"),)
        return unknown(CAUSE, "more passes than the link's speed allows: that speed is no limit", evidence, asks=asks)
    verdict = _agreed([_vote(run, FULL_SHARE * ceiling) for run in runs], sure=trial.told or _sure(view, trial))
    if verdict is None:
        again = () if len(runs) >= _RUNS else (Ask(text=f"measure again: {trial.spec.label}", trial=trial.spec),)
        return unknown(CAUSE, "the runs do not decide whether the link is full", evidence, asks=again)
    return (_full if verdict else _short)(view, trial, evidence)


def _short(view: View, trial: Trial, evidence: list[Evidence]) -> Finding:
    """Not full; with UDP the link is full all the same when more was asked than it carries."""
    if trial.spec.protocol != "udp":
        return clear(CAUSE, "the link has room left", evidence)
    if not overfills(view, trial):
        return clear(CAUSE, "not all of what UDP was to carry arrives", evidence)
    evidence.append(saw(f"trial/{trial.id}", "asked_bps", round(trial.spec.rate or 0)))
    return problem(CAUSE, "the link is full: more was asked than it carries", evidence, confidence=Confidence.HIGH)


def _vote(trial: Trial, bar: BitsPerSecond) -> bool | None:
    """Full, not full, or open when the bar lies inside the interval."""
    estimate = trial.throughput
    if estimate is None:
        return None
    if trial.spec.protocol == "udp":  # its sender keeps to its rate: what came of it is a count, no sample
        return estimate.median >= bar and trial.steady is not False and arrives(trial)
    if estimate.wanders and not trial.told:
        return estimate.median >= bar and trial.steady is not False
    if estimate.ci_low < bar <= estimate.ci_high:
        return None
    return estimate.ci_low >= bar and trial.steady is not False


def _sure(view: View, trial: Trial) -> bool:
    """Whether one run is enough to say that there is room: it lies below the bar, and no saturated CPU held it down."""
    if rate(trial) >= FULL_SHARE * view.ceiling:
        return False
    try:
        return all(busiest_cpu(view, trial, end).busy < SATURATED for end in (view.sender, view.receiver))
    except Missing:
        return False


def _agreed(votes: list[bool | None], *, sure: bool) -> bool | None:
    if len(votes) == 1:
        return votes[0] if sure or votes[0] else None
    return next((side for side in (True, False) if votes.count(side) * 2 > len(votes)), None)


def _full(view: View, trial: Trial, evidence: list[Evidence]) -> Finding:
    ratio, sure = trial.retransmit_ratio or 0.0, _sure_of_ceiling(view)
    if trial.spec.protocol == "udp":
        return problem(CAUSE, "what UDP was to carry arrives", evidence, confidence=sure)
    if ratio <= WITH_LOSS:
        return problem(CAUSE, "the link is full", evidence, confidence=sure)
    evidence.append(saw(f"trial/{trial.id}", "retransmit_ratio", f"{ratio:.3%}"))
    return conclude(
        CAUSE,
        "link-filled-with-loss",
        Judgement.PROBLEM,
        "the link is full; the retransmits cost nothing visible",
        confidence=sure,
        evidence=tuple(evidence),
    )


def _sure_of_ceiling(view: View) -> Confidence:
    """Less, where no MTU is known: with jumbo frames the ceiling would be higher."""
    known = (end.want(Link, end.interface) for end in (view.sender, view.receiver) if end.interface)
    return Confidence.HIGH if any(known) else Confidence.MEDIUM


def glance(view: View) -> Finding | None:
    """A test whose link nobody shows, with a rate that a link of a usual speed has when it is full."""
    return as_a_full_link(view, CAUSE)


CHECK = Check(id=CAUSE, cause=CAUSE, diagnose=diagnose, glance=glance)
