"""The traffic programs of the two ends do not understand each other.

iperf 2 and iperf3 speak different protocols, and an option may be known to one end only. iperf3 says so itself
(src/iperf_error.c, iperf_strerror). Different versions that finish a test are no problem.
"""

from collections.abc import Sequence

from fullrate.checks._common import clear, measured, not_applicable, problem, saw, unknown
from fullrate.checks._tries import NO_PROGRAM, failures, tries
from fullrate.records.ends import End
from fullrate.records.facts.net import ProgramVersion
from fullrate.records.finding import Confidence, Evidence, Finding
from fullrate.records.leaf import Check, Per
from fullrate.records.trial import EngineFailure, Trial
from fullrate.records.view import View

CAUSE = "test-tool-mismatch"
_PROGRAM = "iperf3"
_WORDS = (
    "unable to receive parameters from client",
    "unable to send parameters to server",
    "unable to receive cookie",
    "ensure other side is iperf3",
)


def diagnose(view: View) -> Finding:
    """Whether the two programs fail to agree on a test."""
    tried = tries(view)
    served = [trial for trial in tried if trial.throughput is not None]
    if served:
        return clear(CAUSE, "the two programs finished a test", [measured(served[-1])])
    evidence, versions = _versions(view)
    confused = [trial for trial in tried if any(words in _said(trial) for words in _WORDS)]
    if confused:
        return _problem("the other end does not speak iperf3", confused[-1], evidence, Confidence.HIGH)
    refused = [trial for trial in tried if failures([trial]) == {EngineFailure.OPTION}]
    if refused:
        _need_both(view)
    if refused and len(versions) > 1:
        why = f"an option is not known to both versions: {' and '.join(sorted(versions))}"
        return _problem(why, refused[-1], evidence, Confidence.MEDIUM)
    return _another_reason(tried, evidence)


def _need_both(view: View) -> None:
    """Raises Missing when an end's version was not told."""
    for end in End:
        view.end(end).need(ProgramVersion, _PROGRAM)


def _another_reason(tried: Sequence[Trial], evidence: list[Evidence]) -> Finding:
    if failures(tried) and failures(tried) <= NO_PROGRAM:
        return not_applicable(CAUSE, "the traffic program cannot run: there is nothing to compare")
    return unknown(CAUSE, "the tests failed for another reason", evidence)


def _said(trial: Trial) -> str:
    return "" if trial.engine is None else trial.engine.message


def _versions(view: View) -> tuple[list[Evidence], set[str]]:
    evidence, versions = [], set()
    for end in End:
        found = _version(view, end)
        if found is not None:
            evidence.append(saw(view.end(end).source_of(found), f"{_PROGRAM} of the {end} end", found.version))
            versions.add(found.version)
    return evidence, versions


def _version(view: View, end: End) -> ProgramVersion | None:
    return view.end(end).want(ProgramVersion, _PROGRAM)


def _problem(why: str, trial: Trial, evidence: list[Evidence], sure: Confidence) -> Finding:
    said = saw(f"trial/{trial.id}", "the program's words", _said(trial) or trial.failure)
    return problem(CAUSE, f"no test can run: {why}", [said, *evidence], subject=_PROGRAM, confidence=sure)


CHECK = Check(id=CAUSE, cause=CAUSE, diagnose=diagnose, per=Per.RUN)
