"""What several checks share."""

from dataclasses import replace

import pytest

from fullrate.checks import _common as common
from fullrate.records.facts.link import Link, LinkCounters
from fullrate.records.finding import Confidence, Finding, Judgement
from fullrate.records.view import Missing
from unit.checks.build import FAR, NEAR, Scene, attempt, change, healthy, on_ipv6, on_loopback

CAUSE = "tc-shaper"


def missing() -> Finding:
    """A side that cannot be judged."""
    raise Missing("a fact")


def a_problem(costs: float) -> Finding:
    """A problem of so much."""
    return common.problem(CAUSE, "why", [], costs_bps=costs)


def test_finding_has_its_causes_stage() -> None:
    """No check says it again."""
    assert "qdisc" == a_problem(1.0).stage


def test_clear_verdict_is_sure() -> None:
    """Unless a check says otherwise."""
    assert Confidence.HIGH is common.clear(CAUSE, "why").confidence
    assert Confidence.LOW is common.clear(CAUSE, "why", confidence=Confidence.LOW).confidence


def test_worst_of_two_problems_is_the_dearer() -> None:
    """By what they cost."""
    assert 2.0 == common.worst(lambda: a_problem(1.0), lambda: a_problem(2.0)).costs_bps


def test_problem_outweighs_a_missing_fact() -> None:
    """What is known to be wrong needs nothing more."""
    assert Judgement.PROBLEM is common.worst(missing, lambda: a_problem(1.0)).verdict


@pytest.mark.parametrize("other", [common.clear, common.not_applicable])
def test_missing_fact_outweighs_everything_else(other: object) -> None:
    """One end clear, the other not seen: nobody knows."""
    with pytest.raises(Missing, match="a fact"):
        common.worst(lambda: other(CAUSE, "why"), missing)  # type: ignore[operator]


def test_unknown_outweighs_clear() -> None:
    """The same for a check that says so itself."""
    worst = common.worst(lambda: common.clear(CAUSE, "why"), lambda: common.unknown(CAUSE, "why"))
    assert Judgement.UNKNOWN is worst.verdict


def test_clear_outweighs_not_applicable() -> None:
    """It could have acted at one end."""
    worst = common.worst(lambda: common.not_applicable(CAUSE, "why"), lambda: common.clear(CAUSE, "why"))
    assert Judgement.CLEAR is worst.verdict


def test_smaller_mtu_counts() -> None:
    """Packets have to fit into both."""
    scene = change(healthy(), FAR, Link, lambda link: replace(link, mtu=9000), parts=("facts",))
    assert 1500 == common.mtu(scene.view())


@pytest.mark.parametrize("end", ["near", "far"])
def test_mtu_needs_both_links(end: str) -> None:
    """The other one may be smaller."""
    scene = healthy().lacking(NEAR if end == "near" else FAR, Link, "facts")
    with pytest.raises(Missing, match=f"Link of .* on the {end} end"):
        common.mtu(scene.view())


def test_link_under_test_must_be_known() -> None:
    """No other link is taken for it."""
    scene = healthy()
    scene = replace(scene, near=replace(scene.near, interface=None))
    with pytest.raises(Missing, match="the link under test on the near end"):
        common.link_of(scene.view().sender)


@pytest.mark.parametrize(("scene", "expected"), [(healthy(), 4), (on_ipv6(healthy()), 6)])
def test_version_by_address(scene: Scene, expected: int) -> None:
    """A colon tells."""
    assert expected == common.version(scene.view())


@pytest.mark.parametrize(("rate", "expected"), [(923e6, True), (922e6, False)])
def test_full_is_98_percent_of_the_ceiling(rate: float, *, expected: bool) -> None:
    """98 % of 941.48 Mbit/s are 922.65."""
    view = healthy(rate).view()
    assert expected is common.is_full(view, view.trial())


@pytest.mark.parametrize(("before", "after"), [(None, 5), (5, None), (5, 4)])
def test_growth_needs_two_readings_in_order(before: int | None, after: int | None) -> None:
    """Neither a field left out nor a counter that went back is zero."""
    with pytest.raises(Missing, match="LinkCounters on the near end"):
        common.growth(healthy().view().sender, LinkCounters, before, after)


def test_growth_of_a_counter_that_stood_still_is_zero() -> None:
    """The kernel said zero."""
    assert 0 == common.growth(healthy().view().sender, LinkCounters, 5, 5)


def test_no_time_between_two_readings_is_no_window() -> None:
    """A rate would divide by zero."""
    view = healthy().view()
    trial = view.trial()
    windows = {end: replace(window, after=window.before) for end, window in trial.windows.items()}
    with pytest.raises(Missing, match="LinkCounters of enp1s0 on the near end"):
        common.link_delta(view, replace(trial, windows=windows), view.sender)


def test_link_delta_is_of_the_link_under_test() -> None:
    """Over the trial's ten seconds."""
    view = healthy().view()
    delta = common.link_delta(view, view.trial(), view.receiver)
    assert ("enp3s0", 10.0) == (delta.after.subject, delta.seconds)


@pytest.mark.parametrize(("protocol", "expected"), [("udp", True), ("tcp", False)])
def test_only_udp_tried(protocol: str, *, expected: bool) -> None:
    """By the trials of this direction."""
    assert expected is common.without_tcp(replace(healthy(), protocol=protocol).view())


def test_tcp_that_failed_was_tried_all_the_same() -> None:
    """It can be asked for again."""
    scene = replace(healthy(), protocol="udp", tries=(attempt(None),))
    assert not common.without_tcp(scene.view())


def test_nothing_tried_is_not_udp_alone() -> None:
    """The idle look sends nothing."""
    assert not common.without_tcp(replace(healthy(), rate=None).view())


@pytest.mark.parametrize(("scene", "expected"), [(on_loopback(healthy()), True), (healthy(), False)])
def test_loopback_by_both_links(scene: Scene, *, expected: bool) -> None:
    """Both ends on lo."""
    assert expected is common.on_loopback(scene.view())
