"""Two documents say the same when they differ in nothing but names."""

from dataclasses import replace

from bundled import golden
from fullrate.records.finding import Confidence
from fullrate.redact import same_diagnosis

RUN = golden("tc-shaper")[1]


def test_other_names_are_the_same_diagnosis() -> None:
    """Sentences and subjects hold names."""
    verdict = replace(RUN.verdict, summary="host-abcdef is slow", subject="enx02")
    assert same_diagnosis(RUN, replace(RUN, verdict=verdict, id="another"))


def test_another_verdict_is_another_diagnosis() -> None:
    """Also one that is less sure."""
    assert not same_diagnosis(RUN, replace(RUN, verdict=replace(RUN.verdict, confidence=Confidence.LOW)))


def test_other_findings_are_another_diagnosis() -> None:
    """One missing, or at another cost."""
    dear = replace(RUN.findings[0], costs_bps=1.0)
    assert not same_diagnosis(RUN, replace(RUN, findings=RUN.findings[1:]))
    assert not same_diagnosis(RUN, replace(RUN, findings=(dear, *RUN.findings[1:])))


def test_another_budget_is_another_diagnosis() -> None:
    """Where the rate goes is part of it."""
    assert not same_diagnosis(RUN, replace(RUN, budget=()))
