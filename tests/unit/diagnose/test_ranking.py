"""The order of findings."""

from dataclasses import replace

import pytest

from fullrate.diagnose.ranking import is_full, ranked
from fullrate.records.ends import End
from fullrate.records.finding import Confidence, Finding, Judgement
from unit.diagnose.making import OUT, finding, judged

SHAPER = finding("tc-shaper", costs=5.0)


def order(*findings: Finding) -> list[str]:
    """The causes as ranked."""
    return [one.cause for one in ranked(findings)]


def test_verdicts_are_ranked() -> None:
    """Problems, then what is open, then what is cleared."""
    ranked = order(
        finding("path-loss", Judgement.NOT_APPLICABLE),
        finding("cpu-quota", Judgement.CLEAR),
        finding("server-busy", Judgement.UNKNOWN),
        finding("tc-shaper", Judgement.PROBLEM),
    )
    assert ["tc-shaper", "server-busy", "cpu-quota", "path-loss"] == ranked


def test_dearest_problem_is_first() -> None:
    """It is the limiter."""
    assert ["path-loss", "cpu-quota"] == order(finding("cpu-quota", costs=1.0), finding("path-loss", costs=2.0))


def test_cost_goes_before_confidence() -> None:
    """A likely large loss is told before a certain small one."""
    small = finding("cpu-quota", costs=1.0, confidence=Confidence.HIGH)
    assert ["path-loss", "cpu-quota"] == order(small, finding("path-loss", costs=2.0, confidence=Confidence.LOW))


def test_surer_problem_is_first_at_equal_cost() -> None:
    """Two explanations: the better proved one leads."""
    likely = finding("cpu-quota", costs=1.0, confidence=Confidence.MEDIUM)
    assert ["path-loss", "cpu-quota"] == order(likely, finding("path-loss", costs=1.0, confidence=Confidence.HIGH))


def test_equals_of_one_place_are_ranked_by_name() -> None:
    """The same evidence always gives the same document."""
    assert ["qdisc-drops", "tc-shaper"] == order(finding("tc-shaper"), finding("qdisc-drops"))


def test_full_link_stands_after_the_problems() -> None:
    """It explains no missing rate, and is still above what is open."""
    ranked = order(
        finding("server-busy", Judgement.UNKNOWN),
        finding("link-filled", confidence=Confidence.HIGH),
        finding("offload-off", confidence=Confidence.LOW),
    )
    assert ["offload-off", "link-filled", "server-busy"] == ranked


# --- choosing


def test_costs_within_two_percent_are_alike() -> None:
    """A shaper's is exact, a loss's an estimate: the one that a packet meets first leads."""
    shaper, loss = finding("tc-shaper", costs=922e6), finding("path-loss", costs=923e6)
    assert ["tc-shaper", "path-loss"] == order(loss, shaper)


def test_sender_comes_before_the_receiver_whatever_their_stages() -> None:
    """A filter of the receiver stands behind the sender's shaper, though its stage comes first."""
    shaper = finding("tc-shaper", costs=922e6, end=End.NEAR, direction=OUT)
    rule = finding("netfilter-drop", costs=923e6, end=End.FAR, direction=OUT)
    path = finding("path-loss", costs=923e6, end=None, direction=OUT)
    assert ["tc-shaper", "path-loss", "netfilter-drop"] == order(rule, path, shaper)


def test_costs_further_apart_are_not() -> None:
    """2.2 % more."""
    assert ["path-loss", "tc-shaper"] == order(finding("tc-shaper", costs=922e6), finding("path-loss", costs=943e6))


def test_surer_one_leads_of_costs_alike() -> None:
    """Whatever a packet meets first."""
    likely = finding("tc-shaper", costs=100.0, confidence=Confidence.MEDIUM)
    sure = finding("path-loss", costs=99.0, confidence=Confidence.HIGH)
    assert ["path-loss", "tc-shaper"] == order(likely, sure)


def test_likeness_is_measured_from_the_dearest() -> None:
    """100, 99 and 97: the third is like the second, not like the first."""
    costs = {"path-loss": 100.0, "tc-shaper": 99.0, "netfilter-drop": 97.0}
    assert ["tc-shaper", "path-loss", "netfilter-drop"] == order(
        *(finding(name, costs=it) for name, it in costs.items())
    )


def test_cause_of_another_version_is_ranked_too() -> None:
    """Its stage is none of ours: after those that have one."""
    unknown = replace(SHAPER, cause="no-such-cause", stage=None)
    assert ["tc-shaper", "no-such-cause"] == order(unknown, SHAPER)


@pytest.mark.parametrize("cause", ["link-filled", "link-filled-with-loss", "link-filled-wifi", "tunnel-overhead"])
def test_full_link_is_no_problem(cause: str) -> None:
    """Nor is any special case of it."""
    found = finding(cause)
    assert (True, ()) == (is_full(found), judged(found).problems())


@pytest.mark.parametrize("cause", ["tc-shaper", "no-such-cause"])
def test_other_causes_are_no_full_link(cause: str) -> None:
    """Also those this version does not know."""
    assert False is is_full(replace(SHAPER, cause=cause))
