"""The rate is the goodput ceiling of the link: nothing to fix.

Full means a receiver throughput of at least 98 % of the ceiling with no 1 s interval under 90 % of the median. A run
whose interval straddles the bar, that was unsteady, or that a saturated CPU may have swayed is made again: a spell of
the neighbours' load can outlast one run.
"""

from fullrate.checks._common import FULL_SHARE, SATURATED, busiest_cpu, clear, measured, problem, saw, unknown
from fullrate.records.causes import stage_of
from fullrate.records.finding import Ask, Confidence, Evidence, Finding, Judgement
from fullrate.records.leaf import Check
from fullrate.records.trial import Trial
from fullrate.records.view import Missing, View

CAUSE = "link-filled"
# A healthy flow through a short queue shows some retransmits; above this share the report says so, it decides nothing.
WITH_LOSS = 0.0001
_RUNS = 3  # two that agree, or the majority of three


def diagnose(view: View) -> Finding:
    """Whether this direction is full."""
    ceiling = view.ceiling
    trial = view.trial()
    runs = [run for run in view.runs(trial.spec) if run.throughput is not None]
    votes = [_vote(run, FULL_SHARE * ceiling) for run in runs]
    evidence = [measured(run) for run in runs] + [saw("ceiling", "goodput_bps", round(ceiling))]
    verdict = _agreed(votes, sure=_sure(view, trial))
    if verdict is None:
        again = [Ask(text=f"measure again: {trial.spec.label}", trial=trial.spec)] if len(runs) < _RUNS else []
        return unknown(CAUSE, "one run does not decide whether the link is full", evidence, asks=tuple(again))
    if not verdict:
        return clear(CAUSE, "the link has room left", evidence)
    return _full(trial, evidence)


def _vote(trial: Trial, bar: float) -> bool | None:
    """Full, not full, or open when the bar lies inside the interval."""
    estimate = trial.throughput
    if estimate is None or estimate.ci_low < bar <= estimate.ci_high:
        return None
    return estimate.ci_low >= bar and trial.steady


def _sure(view: View, trial: Trial) -> bool:
    """Whether one run is enough: a rate that no saturated CPU makes, decided by a wide margin or settled."""
    try:
        return all(busiest_cpu(view, trial, end).busy < SATURATED for end in (view.sender, view.receiver))
    except Missing:
        return False


def _agreed(votes: list[bool | None], *, sure: bool) -> bool | None:
    if len(votes) == 1:
        return votes[0] if sure or votes[0] else None
    for side in (True, False):
        if votes.count(side) * 2 > len(votes):
            return side
    return None


def _full(trial: Trial, evidence: list[Evidence]) -> Finding:
    ratio = trial.retransmit_ratio or 0.0
    if ratio <= WITH_LOSS:
        return problem(CAUSE, "the link is full", evidence, confidence=Confidence.HIGH)
    evidence.append(saw(f"trial/{trial.id}", "retransmit_ratio", f"{ratio:.3%}"))
    return Finding(
        check=CAUSE,
        cause="link-filled-with-loss",
        stage=stage_of("link-filled-with-loss"),
        verdict=Judgement.PROBLEM,
        summary="the link is full; the retransmits cost nothing visible",
        confidence=Confidence.HIGH,
        evidence=tuple(evidence),
    )


CHECK = Check(id=CAUSE, cause=CAUSE, diagnose=diagnose)
