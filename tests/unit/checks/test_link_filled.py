"""Is the link full?"""

from dataclasses import replace

import pytest

from fullrate.checks.link_filled import CHECK
from fullrate.records.finding import Judgement
from fullrate.records.recording import Promise
from fullrate.records.trial import EngineResult, Estimate, Trial
from unit.checks.build import FAR, NEAR, Scene, asked, bulk, evidence, found, healthy, judged, on_ipv6, on_loopback
from unit.checks.pairs import cpu
from unit.checks.scenes_udp import vanishing

# 98 % of 941.48 Mbit/s
BAR = 922.65e6


def run(median: float, *, half_width: float = 1e6, steady: bool = True) -> Trial:
    """An earlier run of the same test."""
    estimate = Estimate(n=1, median=median, ci_low=median - half_width, ci_high=median + half_width)
    return Trial(id="early", spec=bulk(), throughput=estimate, steady=steady)


def with_runs(scene: Scene, *runs: Trial) -> Scene:
    """The scene with earlier runs."""
    return replace(scene, tries=runs)


def test_full_link_is_found() -> None:
    """941 of 941.48 Mbit/s, steady: nothing to fix, nothing lost."""
    finding = found(CHECK, healthy())
    assert (Judgement.PROBLEM, "link-filled", 0.0) == (finding.verdict, finding.cause, finding.costs_bps)


def test_cites_run_and_ceiling() -> None:
    """Measured against 10^9 x 1448 / 1538."""
    finding = found(CHECK, healthy())
    assert ("trial/t1", "941000000") == evidence(finding, "throughput_bps")
    assert ("ceiling", "941482445") == evidence(finding, "goodput_bps")


def test_ceiling_of_ipv6_is_lower() -> None:
    """1428 of 1538 bytes: 912 Mbit/s fill a link whose IPv4 ceiling would ask for 923."""
    assert Judgement.PROBLEM is judged(CHECK, on_ipv6(healthy(912e6)))
    assert Judgement.CLEAR is judged(CHECK, healthy(912e6))


def test_retransmits_are_named_and_decide_nothing() -> None:
    """Full with 0.05 % sent again."""
    finding = found(CHECK, replace(healthy(), retransmit_ratio=0.0005))
    assert (Judgement.PROBLEM, "link-filled-with-loss") == (finding.verdict, finding.cause)
    assert ("trial/t1", "0.050%") == evidence(finding, "retransmit_ratio")


def test_unknown_retransmits_are_not_named() -> None:
    """UDP, or a kernel that does not count."""
    assert "link-filled" == found(CHECK, replace(healthy(), retransmit_ratio=None)).cause


def test_room_left_is_clear() -> None:
    """600 Mbit/s, no CPU saturated."""
    assert Judgement.CLEAR is judged(CHECK, healthy(600e6))


def test_just_below_the_bar_is_clear() -> None:
    """A near miss: the whole interval lies under 98 %."""
    assert Judgement.CLEAR is judged(CHECK, healthy(BAR - 2e6))


@pytest.mark.parametrize("end", [NEAR, FAR])
def test_saturated_cpu_may_have_held_the_run_down(end: str) -> None:
    """The neighbours' load on a virtual machine outlasts a run: measure again."""
    scene = healthy(600e6).seeing(NEAR if end == NEAR else FAR, cpu(1, 0.95))
    assert Judgement.UNKNOWN is judged(CHECK, scene)
    assert [bulk()] == [ask.trial for ask in asked(CHECK, scene)]


def test_interval_across_the_bar_is_measured_again() -> None:
    """One run cannot decide."""
    scene = replace(healthy(BAR), half_width=5e6)
    assert Judgement.UNKNOWN is judged(CHECK, scene)
    assert [bulk()] == [ask.trial for ask in asked(CHECK, scene)]


def test_unsteady_run_above_the_bar_is_measured_again() -> None:
    """A second with a dip may have been a neighbour's."""
    assert Judgement.UNKNOWN is judged(CHECK, replace(healthy(), steady=False))


def test_two_unsteady_runs_are_not_full() -> None:
    """The dips are the link's own."""
    scene = with_runs(replace(healthy(), steady=False), run(941e6, steady=False))
    assert Judgement.CLEAR is judged(CHECK, scene)


@pytest.mark.parametrize(
    ("rate", "half_width", "expected"),
    [(400e6, 2.4e9, 0), (400e6, 1.5e9, 1), (900e6, 890e6, 1)],
    ids=["grows all the time", "three runs may tell", "near the bar"],
)
def test_run_that_goes_everywhere_is_not_made_again(rate: float, half_width: float, expected: int) -> None:
    """More runs like it cannot decide: they narrow the interval to a third."""
    scene = replace(healthy(rate), half_width=half_width)
    assert Judgement.UNKNOWN is judged(CHECK, scene)
    assert expected == len(asked(CHECK, scene))


def test_two_runs_that_agree_decide() -> None:
    """Both below, whatever the CPUs do."""
    scene = with_runs(healthy(600e6).seeing(NEAR, cpu(1, 0.95)), run(610e6))
    assert Judgement.CLEAR is judged(CHECK, scene)


def test_majority_of_three_decides() -> None:
    """Two full runs and one held down."""
    assert Judgement.PROBLEM is judged(CHECK, with_runs(healthy(), run(600e6), run(940e6)))


def test_runs_that_never_agree_end_the_asking() -> None:
    """Three different answers: undecided, and no fourth run."""
    scene = with_runs(healthy(), run(600e6), run(BAR, half_width=5e6))
    finding = found(CHECK, scene)
    assert (Judgement.UNKNOWN, ()) == (finding.verdict, finding.asks)


def test_more_than_the_link_carries_shows_that_the_speed_is_a_label() -> None:
    """A near miss: 941 Mbit/s on a link that says 800 Mbit/s is no full link."""
    scene = replace(healthy(), speed=800e6)
    assert Judgement.UNKNOWN is judged(CHECK, scene)
    assert ["state the promised rate: --link-speed 1G"] == [ask.text for ask in asked(CHECK, scene)]


def test_more_than_was_promised_is_full() -> None:
    """Who promised 500 Mbit/s and gets more has nothing to fix."""
    scene = replace(healthy(), speed=500e6, promise=Promise(link_speed=500e6))
    assert Judgement.PROBLEM is judged(CHECK, scene)


def test_no_link_speed_is_unknown() -> None:
    """Full of what? --link-speed is asked for."""
    scene = replace(healthy(), speed=None)
    assert ["state the promised rate: --link-speed 1G"] == [ask.text for ask in asked(CHECK, scene)]


def test_nothing_measured_asks_for_the_test() -> None:
    """The first question of every job."""
    assert [bulk()] == [ask.trial for ask in asked(CHECK, replace(healthy(), rate=None))]


def test_loopback_does_not_apply() -> None:
    """There is no link to fill within one host."""
    assert Judgement.NOT_APPLICABLE is judged(CHECK, on_loopback(healthy()))


def test_few_retransmits_are_named_already() -> None:
    """More than 0.01 %."""
    assert "link-filled-with-loss" == found(CHECK, replace(healthy(), retransmit_ratio=0.0002)).cause


def test_frames_without_timestamps_hold_a_little_more() -> None:
    """A near miss: 949 Mbit/s are above the ceiling reckoned with timestamps, and no label."""
    assert Judgement.PROBLEM is judged(CHECK, healthy(949e6))


def udp(lost: float, rate: float = 500e6) -> Scene:
    """UDP at 500 Mbit/s was asked for."""
    wish = Promise(udp=500e6, link_speed=500e6)
    engine = EngineResult(program="iperf3", lost_ratio=lost)
    return replace(healthy(rate), promise=wish, protocol="udp", engine=engine, speed=500e6 * 1538 / 1448)


@pytest.mark.parametrize(
    ("lost", "rate", "expected"),
    [
        (0.0, 500e6, Judgement.PROBLEM),
        (0.0009, 499e6, Judgement.PROBLEM),
        (0.0011, 500e6, Judgement.CLEAR),
        (0.0, 400e6, Judgement.CLEAR),
    ],
)
def test_udp_must_arrive(lost: float, rate: float, expected: Judgement) -> None:
    """At the rate asked for, with less than one datagram in a thousand lost."""
    assert expected is judged(CHECK, with_runs(udp(lost, rate), *udp(lost, rate).view().trials))


@pytest.mark.parametrize(
    ("scene", "verdict", "words"),
    [
        (
            vanishing(1.2e9, lost=0.21, asked=1.2e9),
            Judgement.PROBLEM,
            "the link is full: more was asked than it carries",
        ),
        (vanishing(1.2e9, lost=0.5, asked=1.2e9), Judgement.CLEAR, "not all of what UDP was to carry arrives"),
        (vanishing(asked=5e8), Judgement.CLEAR, "not all of what UDP was to carry arrives"),
    ],
    ids=["the link carries no more", "it could", "it could easily"],
)
def test_udp_that_falls_short(scene: Scene, verdict: Judgement, words: str) -> None:
    """Of more than the link carries some has to be lost."""
    finding = found(CHECK, with_runs(scene, *scene.view().trials))
    assert (verdict, words) == (finding.verdict, finding.summary)


def test_what_came_of_udp_is_a_count() -> None:
    """A bar within the interval leaves nothing open: the sender keeps to its rate."""
    assert Judgement.PROBLEM is judged(CHECK, replace(udp(0.0, 495e6), half_width=2e7))


def test_udp_that_arrives_is_said() -> None:
    """The link need not be full for it."""
    assert "what UDP was to carry arrives" == found(CHECK, udp(0.0)).summary
