"""The answer: full, not full, undecided, not measured, and what it says."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fullrate.diagnose.verdict import criteria, decide, main_measurement, missing_rate, overall, state_of
from fullrate.records.ends import ONE_WAY, Direction
from fullrate.records.finding import Confidence, Finding
from fullrate.records.measurement import Measurement
from fullrate.records.run import Criterion, State, Verdict
from unit.diagnose.making import BACK, CEILING, FAR, OUT, both, estimate, finding, judged, measured, unknown

BAR = 0.98 * CEILING


def full(direction: Direction = OUT, cause: str = "link-filled") -> Finding:
    """The finding that says the link is full."""
    return finding(cause, direction=direction, summary="the link is full")


def rate_criterion(*measurements: Measurement, stated: bool = False) -> Criterion:
    """The first direction's throughput criterion."""
    return criteria(measurements, stated=stated)[0]


def after(state: State, *measurements: Measurement) -> Verdict:
    """The verdict without any finding; the state is checked on the way."""
    verdict = decide(measurements, judged())
    assert state == verdict.state
    return verdict


# --- which measurement counts


def test_the_best_flow_count_counts() -> None:
    """Eight flows that fill the link show that it can be filled."""
    one, eight = measured(OUT, 300e6), measured(OUT, 990e6, streams=8)
    assert eight is main_measurement((one, eight), OUT)


def test_the_other_direction_does_not_count() -> None:
    """A direction's verdict rests on its own measurement."""
    assert None is main_measurement((measured(BACK, 990e6),), OUT)


def test_udp_does_not_count() -> None:
    """The ceiling is TCP's: a UDP figure explains, it does not decide."""
    tcp = measured(OUT, 300e6)
    assert tcp is main_measurement((tcp, measured(OUT, 990e6, protocol="udp")), OUT)


def test_failed_measurement_does_not_count() -> None:
    """Without a rate nothing was measured."""
    assert None is main_measurement((measured(OUT, None, failure="refused"),), OUT)


def test_missing_rate_is_ceiling_less_measured() -> None:
    """What the link could carry and did not."""
    assert 400e6 == missing_rate(measured(OUT, 600e6))


@pytest.mark.parametrize(
    "measurement",
    [
        pytest.param(None, id="not measured"),
        pytest.param(measured(OUT, None), id="failed"),
        pytest.param(measured(OUT, 600e6, ceiling=None), id="no ceiling"),
        pytest.param(measured(OUT, 1001e6), id="above the ceiling"),
    ],
)
def test_missing_rate_is_never_negative_nor_guessed(measurement: Measurement | None) -> None:
    """Zero where nothing is known to be missing."""
    assert 0.0 == missing_rate(measurement)


# --- the criteria


@pytest.mark.parametrize(
    ("rate", "half_width", "met"),
    [
        pytest.param(BAR + 1e6, 1e6, True, id="the interval ends on the bar"),
        pytest.param(BAR + 0.9e6, 1e6, None, id="the bar lies low in the interval"),
        pytest.param(BAR - 1e6, 1e6, None, id="the interval reaches up to the bar"),
        pytest.param(BAR - 1.1e6, 1e6, False, id="the interval stays below"),
        pytest.param(999e6, 1e6, True, id="well above"),
        pytest.param(10e6, 1e6, False, id="well below"),
        pytest.param(700e6, 400e6, None, id="very wide"),
    ],
)
def test_throughput_is_met_by_the_whole_interval(rate: float, half_width: float, *, met: bool | None) -> None:
    """98 % of the ceiling, with all of the interval on one side."""
    assert met is rate_criterion(measured(OUT, rate, half_width=half_width)).met


def test_unknown_ceiling_leaves_throughput_open() -> None:
    """A rate alone is neither full nor not."""
    found = rate_criterion(measured(OUT, 900e6, ceiling=None))
    assert (None, "the link's speed is not known") == (found.met, found.observed)


def test_more_than_the_link_can_carry_shows_a_wrong_speed() -> None:
    """A tenth above the goodput: that speed is a label."""
    assert None is rate_criterion(measured(OUT, 1.1 * CEILING)).met


def test_a_little_above_the_ceiling_is_full() -> None:
    """Timestamps off, a shaper's burst: less than 5 % above is still this link."""
    assert True is rate_criterion(measured(OUT, 1.01 * CEILING)).met


def test_more_than_a_stated_speed_is_full() -> None:
    """The user's own figure is the measure, also when the link does better."""
    assert True is rate_criterion(measured(OUT, 1.1 * CEILING), stated=True).met


def test_observed_share_is_never_rounded_up() -> None:
    """97.99 % misses the bar and does not read as 98.0 %."""
    found = rate_criterion(measured(OUT, 979.9e6, half_width=0))
    assert found.observed == "97.9 % of the goodput ceiling (95 % interval 97.9 % to 97.9 %)"


def test_observed_share_shows_the_interval() -> None:
    """How sure a share is stands beside it."""
    found = rate_criterion(measured(OUT, 500e6, half_width=20e6))
    assert found.observed == "50.0 % of the goodput ceiling (95 % interval 48.0 % to 52.0 %)"


def test_required_names_the_bar() -> None:
    """A reader sees what was asked for."""
    rate, steady = criteria([measured(OUT, 500e6)])
    wanted = ("at least 98% of the goodput ceiling", "no 1 s interval under 90% of the median")
    assert wanted == (rate.required, steady.required)


@pytest.mark.parametrize(("steady", "observed"), [(True, "steady"), (False, "unsteady")])
def test_steadiness_is_the_second_criterion(*, steady: bool, observed: str) -> None:
    """It is told as measured."""
    found = criteria([measured(OUT, 999e6, steady=steady)])[1]
    assert ("steadiness", steady, observed) == (found.name, found.met, found.observed)


def test_each_measured_direction_has_both_criteria() -> None:
    """Two conditions a direction, near to far first."""
    found = criteria(both(999e6, 999e6)[::-1])
    assert [OUT, OUT, BACK, BACK] == [criterion.direction for criterion in found]


def test_failed_direction_has_no_criteria() -> None:
    """What was not measured is not judged."""
    assert () == criteria([measured(OUT, None, failure="refused")])


# --- states


@pytest.mark.parametrize(
    ("rate", "steady", "state"),
    [
        pytest.param(999e6, True, State.FULL, id="both met"),
        pytest.param(999e6, False, State.NOT_FULL, id="unsteady"),
        pytest.param(500e6, True, State.NOT_FULL, id="slow"),
        pytest.param(BAR, True, State.UNDECIDED, id="straddles"),
        pytest.param(BAR, False, State.UNDECIDED, id="straddles and unsteady, as link-filled votes"),
    ],
)
def test_state_of_one_direction(rate: float, state: State, *, steady: bool) -> None:
    """Full needs both criteria; an open rate leaves it open."""
    assert state == state_of(OUT, criteria([measured(OUT, rate, steady=steady)]))


def test_state_of_an_unmeasured_direction() -> None:
    """The other direction's criteria say nothing of it."""
    assert State.NOT_MEASURED == state_of(BACK, criteria([measured(OUT, 999e6)]))


@pytest.mark.parametrize(
    ("out", "back", "state"),
    [
        (State.FULL, State.FULL, State.FULL),
        (State.FULL, State.NOT_FULL, State.NOT_FULL),
        (State.NOT_FULL, State.UNDECIDED, State.NOT_FULL),
        (State.NOT_MEASURED, State.NOT_FULL, State.NOT_FULL),
        (State.FULL, State.UNDECIDED, State.UNDECIDED),
        (State.FULL, State.NOT_MEASURED, State.UNDECIDED),
        (State.UNDECIDED, State.NOT_MEASURED, State.UNDECIDED),
        (State.UNDECIDED, State.UNDECIDED, State.UNDECIDED),
        (State.NOT_MEASURED, State.NOT_MEASURED, State.NOT_MEASURED),
    ],
)
def test_overall_state(out: State, back: State, state: State) -> None:
    """One direction that is not full decides; full needs both."""
    assert state == overall({OUT: out, BACK: back})


@given(st.sampled_from(State), st.sampled_from(State))
def test_overall_state_does_not_depend_on_which_direction(out: State, back: State) -> None:
    """The directions are equals."""
    assert overall({OUT: out, BACK: back}) == overall({OUT: back, BACK: out})


# --- a full link


def test_full_link_names_that_it_is_filled() -> None:
    """Both directions full: the cause is the link itself."""
    verdict = decide(both(999e6, 999e6), judged(full()))
    assert (State.FULL, "link-filled", "phy", "the link is full") == (
        verdict.state,
        verdict.cause,
        verdict.stage,
        verdict.summary,
    )


def test_setting_without_cost_leaves_a_full_link_full() -> None:
    """A finding that costs nothing is listed, it is not the answer."""
    filled = finding("link-filled-with-loss", summary="the link is full")
    verdict = decide(both(999e6, 999e6), judged(finding("offload-off"), filled))
    assert (State.FULL, "link-filled-with-loss") == (verdict.state, verdict.cause)


def test_full_link_asks_for_nothing() -> None:
    """Open checks do not matter when the answer is complete."""
    assert () == decide(both(999e6, 999e6), judged(unknown("cpu-quota", "read it as root"))).ask_for


def test_full_link_without_its_finding_still_says_so() -> None:
    """The criteria decide, not the check."""
    assert after(State.FULL, *both(999e6, 999e6)).summary == "the link is full in both directions"


# --- a link that is not full


def test_one_slow_direction_decides() -> None:
    """Near to far is full, the way back is not: the answer is about the way back."""
    verdict = decide(both(999e6, 500e6), judged(finding("offload-off", direction=BACK, costs=400e6)))
    assert (State.NOT_FULL, BACK, "offload-off") == (verdict.state, verdict.direction, verdict.cause)


@pytest.mark.parametrize(("out", "back", "worst"), [(300e6, 500e6, OUT), (500e6, 300e6, BACK)])
def test_answer_is_about_the_direction_that_misses_most(out: float, back: float, worst: Direction) -> None:
    """Of two slow directions the slower one is explained."""
    assert worst is after(State.NOT_FULL, *both(out, back)).direction


def test_slow_direction_goes_before_an_undecided_one() -> None:
    """What is known to be wrong is told before what is open."""
    open_ = measured(BACK, 600e6, half_width=500e6)
    assert OUT is after(State.NOT_FULL, measured(OUT, 900e6), open_).direction


def test_limiter_is_the_first_problem_of_its_direction() -> None:
    """A dearer problem of the other direction is not the answer."""
    other = finding("tc-shaper", direction=BACK, costs=900e6)
    own = finding("offload-off", costs=200e6)
    assert "offload-off" == decide(both(700e6, 999e6), judged(other, own)).cause


def test_problem_of_the_whole_run_can_be_the_limiter() -> None:
    """It holds for every direction."""
    everywhere = finding("cpu-quota", direction=None, costs=200e6)
    assert "cpu-quota" == decide(both(700e6, 999e6), judged(everywhere)).cause


def test_limiter_needs_a_cost() -> None:
    """A problem that costs nothing does not explain a missing rate."""
    assert None is decide(both(700e6, 999e6), judged(finding("offload-off"))).cause


def test_that_a_direction_is_filled_limits_nothing() -> None:
    """The full direction's finding does not explain the other."""
    assert None is decide(both(999e6, 500e6), judged(full(BACK))).cause


def test_verdict_takes_over_the_limiters_place() -> None:
    """End, stage, subject, confidence and sentence are the finding's own."""
    found = finding("tc-shaper", costs=400e6, end=FAR, subject="eth0 root", confidence=Confidence.HIGH)
    verdict = decide(both(500e6, 999e6), judged(found))
    assert ("far", "qdisc", "eth0 root", Confidence.HIGH, "found tc-shaper") == (
        verdict.end,
        verdict.stage,
        verdict.subject,
        verdict.confidence,
        verdict.summary,
    )


def test_limiter_without_an_end_lies_on_the_path() -> None:
    """Neither host: what is between them."""
    assert "path" == decide(both(500e6, 999e6), judged(finding("path-loss", costs=400e6))).end


def test_explained_link_asks_for_nothing() -> None:
    """The answer is complete."""
    found = judged(finding("tc-shaper", costs=400e6), unknown("cpu-quota", "read it as root"))
    assert () == decide(both(500e6, 999e6), found).ask_for


def test_unexplained_link_asks_what_open_checks_need() -> None:
    """Without a cause, what is not known yet may be it; each ask stands once."""
    found = judged(unknown("cpu-quota", "read it as root"), unknown("cpu-quota", "read it as root", direction=BACK))
    assert ("read it as root",) == decide(both(500e6, 999e6), found).ask_for


def test_no_more_is_asked_than_a_person_answers() -> None:
    """Three things at once; the findings hold the rest."""
    found = judged(unknown("cpu-quota", "one", "two", "three", "four"))
    assert ("one", "two", "three") == decide(both(500e6, 999e6), found).ask_for


def test_unexplained_link_without_open_checks_says_where_to_look() -> None:
    """Somebody without a cause still gets a next step."""
    (step,) = decide(both(500e6, 999e6), judged(finding("offload-off"))).ask_for
    assert "path between the hosts" in step


def test_unexplained_link_says_which_way_is_slow() -> None:
    """A newcomer reads a direction, not an identifier."""
    assert after(State.NOT_FULL, *both(999e6, 500e6)).summary == (
        "the link is not full from far to near; no cause was found that explains it"
    )


def test_unsteady_link_says_that_the_rate_is_high_enough() -> None:
    """Only the dips keep it from being full."""
    found = after(State.NOT_FULL, measured(OUT, 999e6, steady=False), measured(BACK, 999e6))
    assert found.summary == (
        "the rate from near to far is high enough but unsteady: a second of it lay under 90% of the median;"
        " no cause was found that explains it"
    )


# --- undecided


def test_rate_close_to_the_bar_says_so() -> None:
    """A newcomer learns why there is no answer."""
    assert after(State.UNDECIDED, *both(999e6, BAR)).summary == (
        "the rate from far to near lies too close to the bar (98% of the goodput ceiling) to tell"
    )


def test_rate_that_wanders_is_judged_by_what_was_carried() -> None:
    """405 of 941 Mbit/s, give or take more than that, is not full: no interval of such a run leaves the bar out."""
    wide = measured(OUT, 405e6, half_width=850e6, steady=False)
    verdict = decide((wide, measured(BACK, 999e6)), judged(finding("reordering", direction=OUT, costs=500e6)))
    assert (State.NOT_FULL, OUT, "reordering") == (verdict.state, verdict.direction, verdict.cause)


def test_rate_of_a_few_pasted_rows_is_not_judged_by_its_middle() -> None:
    """Its wide interval says that little is shown, not that the rate wandered."""
    wide = measured(OUT, 405e6, half_width=850e6, steady=False, told=True)
    assert State.UNDECIDED is decide((wide, measured(BACK, 999e6)), judged()).state


def test_rate_close_to_the_bar_asks_for_quiet() -> None:
    """When no check can ask for more, a person can."""
    assert ("measure again while both hosts and the link are quiet",) == after(
        State.UNDECIDED, *both(999e6, BAR)
    ).ask_for


def test_rate_close_to_the_bar_keeps_its_priced_suspect() -> None:
    """What may cost the rest is named beside the sentence on the bar."""
    verdict = decide(both(999e6, BAR), judged(finding("offload-off", direction=BACK, costs=19e6)))
    assert (State.UNDECIDED, "offload-off", True) == (verdict.state, verdict.cause, "too close" in verdict.summary)


def test_rate_close_to_the_bar_does_not_accuse_what_costs_nothing() -> None:
    """A setting without cost is no reason."""
    assert None is decide(both(999e6, BAR), judged(finding("offload-off", direction=BACK))).cause


def test_unknown_speed_asks_for_it() -> None:
    """The missing fact is one the user has."""
    verdict = after(State.UNDECIDED, *(measured(way, 900e6, ceiling=None) for way in ONE_WAY))
    assert verdict.summary == "measured, but how fast the link should be is not known: state it with --link-speed"


def test_wrong_speed_is_not_called_full() -> None:
    """A rate the link cannot have shows that its speed is a label."""
    verdict = after(State.UNDECIDED, *both(2 * CEILING, 2 * CEILING))
    assert verdict.summary == (
        "more passes from near to far than the speed of the link allows, so that speed is no limit:"
        " state the promised one"
    )


def test_stated_speed_that_is_surpassed_is_full() -> None:
    """Who promised 1 Gbit/s and gets 2 has a full link."""
    assert State.FULL == decide(both(2 * CEILING, 2 * CEILING), judged(), stated=True).state


def test_direction_that_failed_says_why() -> None:
    """One direction full, the other without a rate: not decided, and the failure is told."""
    verdict = after(State.UNDECIDED, measured(OUT, 999e6), measured(BACK, None, failure="the server is busy"))
    assert verdict.summary == "no rate could be measured from far to near: the server is busy"


def test_direction_that_was_not_tried_is_named() -> None:
    """A run that was stopped half-way says what is missing."""
    verdict = after(State.UNDECIDED, measured(OUT, 999e6))
    assert verdict.summary == "no rate could be measured from far to near: no test came to an end"


def test_direction_that_failed_takes_its_own_failure() -> None:
    """The other direction's later failure is another matter."""
    found = (measured(OUT, 999e6), measured(BACK, None, failure="busy"), measured(OUT, None, failure="too slow"))
    assert after(State.UNDECIDED, *found).summary.endswith("from far to near: busy")


def test_problem_of_the_failed_direction_is_named() -> None:
    """Without a rate no cost can be told: the problem counts without one."""
    found = judged(finding("netfilter-drop", direction=BACK))
    verdict = decide((measured(OUT, 999e6), measured(BACK, None)), found)
    assert (State.UNDECIDED, "netfilter-drop", "found netfilter-drop") == (
        verdict.state,
        verdict.cause,
        verdict.summary,
    )


# --- nothing measured


def test_nothing_measured_with_a_problem_names_it() -> None:
    """The problem is the answer."""
    verdict = decide((), judged(finding("test-control-port-blocked", direction=None)))
    assert (State.NOT_MEASURED, "test-control-port-blocked") == (verdict.state, verdict.cause)


@pytest.mark.parametrize("way", ONE_WAY)
def test_nothing_measured_looks_at_both_directions(way: Direction) -> None:
    """A problem of either direction is found, and the answer is about its direction."""
    verdict = decide((), judged(finding("netfilter-drop", direction=way)))
    assert ("netfilter-drop", way) == (verdict.cause, verdict.direction)


def test_what_stops_every_test_is_named_first() -> None:
    """A shaper is a problem too, but the closed port is why nothing was measured."""
    found = judged(finding("tc-shaper", costs=900e6), finding("test-control-port-blocked", direction=None))
    assert "test-control-port-blocked" == decide((), found).cause


def test_held_back_by_other_traffic_is_undecided() -> None:
    """Nothing was sent on purpose: that is no answer about the link."""
    verdict = decide((), judged(finding("competing-traffic", costs=400e6)))
    assert (State.UNDECIDED, "competing-traffic", "found competing-traffic") == (
        verdict.state,
        verdict.cause,
        verdict.summary,
    )


def test_held_back_stays_undecided_beside_a_dearer_problem() -> None:
    """Why nothing was sent goes before what else was found."""
    verdict = decide((), judged(finding("tc-shaper", costs=900e6), finding("competing-traffic", costs=400e6)))
    assert (State.UNDECIDED, "competing-traffic") == (verdict.state, verdict.cause)


def test_tests_that_failed_without_a_reason_are_undecided() -> None:
    """The program's own words are all there is."""
    verdict = after(State.UNDECIDED, measured(OUT, None, failure="unable to connect"))
    assert ("no rate could be measured: unable to connect", None) == (verdict.summary, verdict.direction)


def test_collecting_alone_is_not_measured() -> None:
    """No trial was to be made, and nothing is wrong: not measured."""
    verdict = decide((), judged(), tried=False)
    assert (State.NOT_MEASURED, "nothing was measured", None, None) == (
        verdict.state,
        verdict.summary,
        verdict.cause,
        verdict.end,
    )


def test_unreachable_host_is_undecided_with_its_sentence() -> None:
    """What the user must mend stands in the answer."""
    verdict = decide((), judged(), trouble="nas: Permission denied (publickey)", tried=False)
    assert (State.UNDECIDED, "nas: Permission denied (publickey)") == (verdict.state, verdict.summary)


def test_unreachable_host_tells_its_trouble_before_a_finding() -> None:
    """A problem of the other host is named as cause, the sentence is why nothing was measured."""
    verdict = decide((), judged(finding("cpu-quota")), trouble="nas: no route", tried=False)
    assert (State.NOT_MEASURED, "nas: no route", "cpu-quota") == (verdict.state, verdict.summary, verdict.cause)


def test_nothing_measured_asks_for_what_would_decide() -> None:
    """The open checks say what they need."""
    found = judged(unknown("link-filled", "state the promised rate: --link-speed 1G"))
    assert ("state the promised rate: --link-speed 1G",) == decide((), found).ask_for


def test_held_back_still_asks_for_what_would_decide() -> None:
    """A cause is named, yet the link was not judged."""
    found = judged(finding("competing-traffic", costs=400e6), unknown("link-filled", "measure: tcp 1 flow near to far"))
    assert ("measure: tcp 1 flow near to far",) == decide((), found).ask_for


# --- UDP


def udp(lost: float | None) -> Measurement:
    """A UDP measurement near to far, with its share of lost datagrams."""
    return measured(OUT, 999e6, protocol="udp", lost_ratio=lost)


def test_udp_counts_where_no_tcp_was_measured() -> None:
    """A failed TCP test does not stand in its way."""
    found = udp(0.0)
    assert found is main_measurement((measured(OUT, None), found), OUT)


@pytest.mark.parametrize(("lost", "met"), [(0.0, True), (0.0009, True), (0.001, False), (0.2, False)])
def test_lost_datagrams_are_the_third_criterion(lost: float, *, met: bool) -> None:
    """Less than one in a thousand may be lost."""
    third = criteria((udp(lost),))[2]
    assert ("loss", met, "less than 0.1% of the datagrams lost") == (third.name, third.met, third.required)


def test_tcp_has_no_third_criterion() -> None:
    """It sends again what is lost."""
    assert ["throughput", "steadiness"] == [one.name for one in criteria((measured(OUT, 999e6),))]


def wanted(asked: float, rate: float, lost: float = 0.0) -> Measurement:
    """UDP over a link that carries 1 Gbit/s of it; of a lower rate the ceiling is what was asked."""
    found = measured(OUT, rate, protocol="udp", lost_ratio=lost)
    return replace(found, asked_bps=asked, ceiling_bps=min(asked, 1e9))


@pytest.mark.parametrize(("asked", "whole"), [(5e8, "the rate that was asked for"), (2e9, "the goodput ceiling")])
def test_udp_is_measured_against_what_was_asked(asked: float, whole: str) -> None:
    """Or against the link, where that carries less."""
    throughput = criteria((wanted(asked, 4.9e8),))[0]
    assert f"at least 98% of {whole}" == throughput.required
    assert f"of {whole} (95 % interval" in throughput.observed


@pytest.mark.parametrize(("rate", "met"), [(4.91e8, True), (4.89e8, False)])
def test_what_came_of_udp_is_a_count(rate: float, *, met: bool) -> None:
    """Its sender keeps to its rate, so that noise within the test says nothing: the mean decides."""
    found = replace(wanted(5e8, rate), throughput_bps=estimate(rate, 2e7))
    assert met is criteria((found,))[0].met


def test_udp_of_more_than_the_link_carries_is_told_plainly() -> None:
    """The link is full; it is the wish that is too large."""
    verdict = decide((wanted(2e9, 9.99e8, 0.5),), judged())
    assert State.NOT_FULL is verdict.state
    assert "the link is full: it carries 1,000.0 Mbit/s of UDP payload at most, and 2,000.0 Mbit/s were asked for" == (
        verdict.summary
    )


def test_udp_of_too_much_that_does_not_even_fill_the_link() -> None:
    """A near miss: something else is wrong."""
    verdict = decide((wanted(2e9, 5e8, 0.75),), judged())
    assert "75.0% of the datagrams are lost from near to far; no cause was found that explains it" == verdict.summary


def test_udp_that_arrives_is_not_called_a_full_link() -> None:
    """The link may have room left."""
    both = (wanted(5e8, 5e8), replace(wanted(5e8, 5e8), direction=Direction.FAR_TO_NEAR))
    assert (State.FULL, "what UDP was to carry arrives in both directions") == (
        decide(both, judged()).state,
        decide(both, judged()).summary,
    )


def test_unknown_loss_is_no_criterion() -> None:
    """A server of somebody else's may not tell."""
    assert ["throughput", "steadiness"] == [one.name for one in criteria((udp(None),))]


def test_lost_datagrams_are_told() -> None:
    """The rate is there, and still the answer is no."""
    verdict = decide((udp(0.05),), judged())
    assert (State.NOT_FULL, "5.0% of the datagrams are lost from near to far; no cause was found that explains it") == (
        verdict.state,
        verdict.summary,
    )


# --- what traffic programs told of tests that somebody else made


def test_a_test_of_one_direction_answers_for_it() -> None:
    """Nobody will make the other one now."""
    verdict = decide((measured(OUT, 990e6, told=True),), judged(full()))
    assert (State.FULL, OUT) == (verdict.state, verdict.direction)


def test_a_live_test_of_one_direction_does_not() -> None:
    """There the other one failed."""
    assert State.UNDECIDED is decide((measured(OUT, 990e6),), judged(full())).state


def test_a_suspect_without_a_cost_is_named() -> None:
    """Nothing can be reckoned of what somebody else measured."""
    suspect = finding("irq-single-cpu", direction=OUT, costs=0.0, confidence=Confidence.MEDIUM)
    assert "irq-single-cpu" == decide((measured(OUT, 300e6, told=True),), judged(suspect)).cause


def test_a_weak_suspect_is_not() -> None:
    """It is listed with the findings."""
    suspect = finding("irq-single-cpu", direction=OUT, costs=0.0, confidence=Confidence.LOW)
    assert decide((measured(OUT, 300e6, told=True),), judged(suspect)).cause is None


def test_an_unknown_course_is_no_criterion() -> None:
    """A total neither rose nor fell."""
    found = criteria((measured(OUT, 990e6, steady=None),))
    assert ["throughput"] == [one.name for one in found]


def test_a_rate_that_fills_a_usual_link_is_named_where_no_speed_is_known() -> None:
    """In the finding's own words, undecided as it stays."""
    hint = replace(full(), direction=None, confidence=Confidence.LOW, summary="941 Mbit/s is all that 1 Gbit/s carries")
    verdict = decide((measured(OUT, 941e6, ceiling=None),), replace(judged(hint), suspects=(hint,)), trouble="no path")
    assert (State.UNDECIDED, "link-filled", Confidence.LOW) == (verdict.state, verdict.cause, verdict.confidence)
    assert "941 Mbit/s is all that 1 Gbit/s carries" == verdict.summary


def test_a_rate_that_fills_a_slower_link_says_where_to_look() -> None:
    """The link has room for ten times that."""
    verdict = decide((measured(OUT, 941e6, ceiling=9.41e9),), judged())
    assert "941 Mbit/s is all that a link of 1,000 Mbit/s carries" in verdict.summary


def test_an_unsteady_rate_that_fills_the_link_itself_points_to_no_other() -> None:
    """It is this one that 941 Mbit/s fill."""
    ways = [measured(way, 941e6, ceiling=941.5e6, steady=False) for way in (OUT, BACK)]
    verdict = decide(ways, judged())
    assert State.NOT_FULL is verdict.state
    assert "look for one on the way" not in verdict.summary
    assert verdict.summary.endswith("; no cause was found that explains it")
