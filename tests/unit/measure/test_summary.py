"""Trials of one kind become one measurement, and no number loses what it rests on."""

from dataclasses import replace

import pytest

from fullrate.measure.summary import summarise
from fullrate.records.ends import Direction
from fullrate.records.measurement import Measurement
from fullrate.records.trial import IDLE, EngineResult, Estimate, Sample, Trial, TrialSpec
from iperf3_recorded import FORWARD, REVERSE, UDP, bulk

CEILINGS = {Direction.NEAR_TO_FAR: 941e6, Direction.FAR_TO_NEAR: 900e6}
ENGINE = EngineResult(
    program="iperf3", client_version="3.12", congestion_control="cubic", warnings=("warning: this system is slow",)
)


def trial(
    name: str, rate: float | None = None, *, spec: TrialSpec = FORWARD, steady: bool = True, failure: str = ""
) -> Trial:
    """A trial of 5 s with that rate, or a failed one."""
    if rate is None:
        return Trial(id=name, spec=spec, engine=ENGINE, failure=failure)
    return Trial(
        id=name,
        spec=spec,
        engine=ENGINE,
        series=tuple(Sample(at=n + 1.0, seconds=1.0, throughput=rate) for n in range(5)),
        warm_up=0.5,
        throughput=Estimate(n=1, median=rate, ci_low=rate - 2e6, ci_high=rate + 2e6),
        engine_throughput=rate,
        engine_difference=0.001,
        retransmit_ratio=0.002,
        steady=steady,
    )


def only(*trials: Trial) -> Measurement:
    """The one measurement of trials that are all of one kind."""
    (found,) = summarise(trials, CEILINGS)
    return found


def estimate(*trials: Trial) -> Estimate:
    """Its throughput."""
    found = only(*trials).throughput_bps
    assert found is not None
    return found


def test_one_run_keeps_its_own_interval() -> None:
    """There is nothing to pool."""
    assert trial("t1", 940e6).throughput == only(trial("t1", 940e6)).throughput_bps


def test_udp_keeps_how_it_was_sent() -> None:
    """The rate asked for, the sizes, and what the receiver told."""
    spec = replace(FORWARD, protocol="udp", rate=5e8, datagram=1472, buffer=212_992)
    udp = replace(trial("t1", 499e6, spec=spec), engine=replace(ENGINE, lost_ratio=0.002, jitter=0.00004))
    found = only(udp)
    assert (5e8, 1472, 212_992) == (found.asked_bps, found.datagram_bytes, found.buffer_bytes)
    assert (0.002, 0.00004) == (found.lost_ratio, found.jitter_seconds)


def test_tcp_asks_for_no_rate() -> None:
    """A limit of the user's is none that it is to reach."""
    assert None is only(trial("t1", 499e6, spec=replace(FORWARD, rate=5e8))).asked_bps


def test_one_run_that_the_program_limited_makes_all_doubtful() -> None:
    """The best of them may be the one."""
    limited = replace(trial("t2", 940e6), engine=replace(ENGINE, self_limited=True))
    assert [False, True] == [only(trial("t1", 940e6)).self_limited, only(trial("t1", 940e6), limited).self_limited]


def test_several_runs_give_the_median_with_their_spread() -> None:
    """The median of three, and an interval by what differs between them."""
    found = estimate(trial("t1", 900e6), trial("t2", 940e6), trial("t3", 920e6))
    assert (3, 920e6) == (found.n, found.median)
    assert found.ci_low < 880e6
    assert found.ci_high > 960e6


def test_equal_runs_keep_the_least_half_width() -> None:
    """The spread of equal runs is no reason to claim more than 0.2 %."""
    found = estimate(trial("t1", 900e6), trial("t2", 900e6))
    assert (found.ci_low, found.ci_high) == pytest.approx((898.2e6, 901.8e6))


def test_failed_runs_do_not_count() -> None:
    """A failed attempt is named among the trials, not pooled."""
    found = only(trial("t1", failure="refused"), trial("t2", 940e6))
    assert (("t1", "t2"), "") == (found.trials, found.failure)
    assert found.throughput_bps is not None
    assert 1 == found.throughput_bps.n


def test_without_a_good_run_the_last_failure_is_told() -> None:
    """It explains why there is no rate."""
    found = only(trial("t1", failure="busy"), trial("t2", failure="refused"))
    assert (None, "refused", False, 0.0) == (found.throughput_bps, found.failure, found.steady, found.seconds)


def test_the_kinds_stand_apart() -> None:
    """Direction, protocol and number of streams each make another measurement, in the order first made."""
    specs = (REVERSE, FORWARD, UDP, bulk(streams=4), FORWARD)
    found = summarise([trial(f"t{n}", 5e8, spec=spec) for n, spec in enumerate(specs)], CEILINGS)
    assert [("t0",), ("t1", "t4"), ("t2",), ("t3",)] == [one.trials for one in found]
    assert ["m1", "m2", "m3", "m4"] == [one.id for one in found]


def test_swapped_roles_are_the_same_kind() -> None:
    """Who served does not matter to the rate in one direction."""
    swapped = TrialSpec(kind=FORWARD.kind, direction=FORWARD.direction, near_serves=True)
    assert ("t1", "t2") == only(trial("t1", 5e8), trial("t2", 5e8, spec=swapped)).trials


def test_an_idle_look_is_no_measurement() -> None:
    """Nothing was sent."""
    assert () == summarise([trial("t1", spec=IDLE)], CEILINGS)


def test_each_direction_has_its_ceiling() -> None:
    """As far as one is known."""
    forward, reverse = summarise([trial("t1", 5e8), trial("t2", 5e8, spec=REVERSE)], CEILINGS)
    assert (941e6, 900e6) == (forward.ceiling_bps, reverse.ceiling_bps)


def test_an_unknown_ceiling_is_none() -> None:
    """It is not guessed."""
    assert summarise([trial("t1", 5e8)], {})[0].ceiling_bps is None


def test_the_latest_good_run_speaks_for_the_program() -> None:
    """Its figure, its difference and its retransmits stand beside the rate."""
    found = only(trial("t1", 5e8), trial("t2", 6e8), trial("t3", failure="x"))
    assert (6e8, 0.001, 0.002) == (found.engine_bps, found.engine_difference, found.retransmit_ratio)


def test_most_runs_decide_on_steadiness() -> None:
    """One dip among three runs is a neighbour's; two are the link's."""
    runs = [trial(f"t{n}", 5e8, steady=steady) for n, steady in enumerate((True, False, True))]
    assert (True, False) == (only(*runs).steady, only(*runs[:2]).steady)


def test_the_time_is_that_of_the_good_runs() -> None:
    """Seconds of series, and how much of it was warm-up."""
    found = only(trial("t1", 5e8), trial("t2", 5e8), trial("t3", failure="x"))
    assert (10.0, 1.0) == (found.seconds, found.warm_up_seconds)


def test_program_algorithm_and_warnings_are_told() -> None:
    """As the program names them."""
    found = only(trial("t1", 5e8))
    assert ("iperf3 3.12", "cubic", ENGINE.warnings) == (found.program, found.congestion_control, found.warnings)


def test_a_program_without_a_version_is_named_all_the_same() -> None:
    """No stray blank."""
    assert "iperf3" == only(replace(trial("t1", 5e8), engine=EngineResult(program="iperf3"))).program


def test_without_a_report_there_is_no_program() -> None:
    """A trial of an unknown generator has none."""
    found = only(replace(trial("t1", failure="x"), engine=None))
    assert (None, None, ()) == (found.program, found.congestion_control, found.warnings)


def test_lost_datagrams_are_those_of_the_newest_run() -> None:
    """As the program counts them; TCP has none."""
    engine = replace(ENGINE, lost_ratio=0.002)
    found = only(trial("t1", 5e8, spec=UDP), replace(trial("t2", 5e8, spec=UDP), engine=engine))
    assert (0.002, None) == (found.lost_ratio, only(trial("t1", 5e8)).lost_ratio)


def test_a_course_that_no_run_tells_is_unknown() -> None:
    """Totals alone are neither steady nor unsteady."""
    assert only(replace(trial("t1", 940e6), steady=None)).steady is None


def test_a_course_that_one_run_tells_is_known() -> None:
    """The other run adds nothing to it."""
    assert only(replace(trial("t1", 940e6), steady=None), trial("t2", 940e6)).steady


def test_programs_that_tell_their_own_figures_stay_apart() -> None:
    """What they differ in may be themselves."""
    other = replace(trial("t2", 940e6), told=True, engine=EngineResult(program="iperf"))
    assert 2 == len(summarise([replace(trial("t1", 300e6), told=True), other], CEILINGS))


def test_a_measurement_is_told_when_its_trials_are() -> None:
    """A reader sees that no kernel counted it."""
    assert (True, False) == (only(replace(trial("t1", 940e6), told=True)).told, only(trial("t1", 940e6)).told)


def test_rates_that_somebody_asked_of_udp_stay_apart() -> None:
    """10 and 30 Mbit/s have no common middle."""
    asked = [replace(trial(f"t{rate}", rate, spec=replace(UDP, rate=rate)), told=True) for rate in (10e6, 30e6)]
    assert [10e6, 30e6] == [one.throughput_bps.median for one in summarise(asked, CEILINGS) if one.throughput_bps]
