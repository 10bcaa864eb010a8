"""Other traffic on the link under test."""

from dataclasses import replace

import pytest

from fullrate.checks.competing_traffic import CHECK
from fullrate.records.facts.link import LinkCounters
from fullrate.records.finding import Confidence, Judgement
from fullrate.records.trial import IDLE, Trial
from unit.checks.build import (
    CEILING,
    FAR,
    NEAR,
    Scene,
    asked,
    change,
    evidence,
    found,
    healthy,
    judged,
    on_loopback,
    untested,
)
from unit.checks.pairs import counters, rest, socket
from unit.checks.scenes import shared
from unit.checks.scenes_udp import crowded, vanishing


def test_traffic_beside_udp_is_a_problem() -> None:
    """480 Mbit/s were there before: they take what the test misses of the link."""
    finding = found(CHECK, crowded())
    assert (Judgement.PROBLEM, Confidence.HIGH) == (finding.verdict, finding.confidence)
    assert CEILING - 495e6 == pytest.approx(finding.costs_bps)


def test_datagrams_that_vanish_are_no_other_traffic() -> None:
    """A near miss: the receiver got less than was sent."""
    assert Judgement.CLEAR is judged(CHECK, vanishing(lost=0.3))


def uploading(own: float = 600e6, other: float = 250e6) -> Scene:
    """The sender uploads to a third host too: nothing of it reaches the receiver."""
    scene = healthy(own).seeing(NEAR, counters("enp1s0", tx=own + other))
    return scene.resting(NEAR, rest("enp1s0", tx=300e6))


def test_traffic_before_and_during_the_test_is_a_problem() -> None:
    """Both looks agree: what came during the test is what it costs."""
    finding = found(CHECK, shared(other=300e6))
    assert (Judgement.PROBLEM, 300e6, Confidence.HIGH) == (finding.verdict, finding.costs_bps, finding.confidence)


def test_names_the_share_and_the_link() -> None:
    """300 of 941 Mbit/s, on the link from enp1s0 to enp3s0."""
    assert "32% of the link enp1s0 to enp3s0" in found(CHECK, shared()).summary
    assert "enp3s0" == found(CHECK, shared()).subject


def test_cost_is_never_more_than_what_is_missing() -> None:
    """Other traffic of 400 Mbit/s next to a test of 600 takes the rest of the ceiling."""
    assert CEILING - 600e6 == pytest.approx(found(CHECK, shared(other=400e6)).costs_bps)


def test_cites_both_looks() -> None:
    """The counters at rest in the link's own bits, the payload beside the test's."""
    finding = found(CHECK, shared())
    assert ("read /proc/net/dev", "320000000") == evidence(finding, "enp3s0 rx at rest")
    assert ("trial/t1", "300000000") == evidence(finding, "other traffic during the test")


def test_loaded_link_is_a_problem_before_any_test() -> None:
    """320 Mbit/s of frames at rest are 306 Mbit/s of payload, by 1448 of 1514 bytes."""
    finding = found(CHECK, untested(shared()))
    assert (Judgement.PROBLEM, 306_050_198) == (finding.verdict, round(finding.costs_bps))


def test_quiet_link_asks_for_the_test() -> None:
    """Nothing at rest: only a test can tell."""
    (ask,) = asked(CHECK, untested(healthy()))
    assert ask.trial is not None
    assert ask.trial.sends


def test_no_look_at_rest_asks_for_it() -> None:
    """The idle look is one of the two signs."""
    assert [IDLE] == [ask.trial for ask in asked(CHECK, replace(shared(), looked=False))]


def test_upload_to_a_third_host_is_seen_at_the_sender() -> None:
    """The sender's link sent 850 Mbit/s of payload, the test's connection 600 of it."""
    finding = found(CHECK, uploading())
    assert Judgement.PROBLEM is finding.verdict
    assert 250e6 == pytest.approx(finding.costs_bps, rel=0.001)


def test_retransmits_are_the_tests_own() -> None:
    """What the test sent twice is no other traffic, though the receiver counts it once."""
    scene = (
        healthy(600e6).seeing(NEAR, counters("enp1s0", tx=660e6), socket(660e6)).resting(NEAR, rest("enp1s0", tx=90e6))
    )
    assert Judgement.CLEAR is judged(CHECK, scene)


def test_quiet_link_is_clear() -> None:
    """Nothing before, nothing during."""
    assert Judgement.CLEAR is judged(CHECK, healthy(600e6))


def test_full_link_is_clear_whatever_it_carried_before() -> None:
    """The test got the whole link, so nothing else took a part."""
    scene = healthy().resting(FAR, rest("enp3s0", rx=500e6))
    assert Judgement.CLEAR is judged(CHECK, scene)


def test_traffic_that_ended_is_clear() -> None:
    """A near miss: there was traffic at rest, none during the test."""
    assert Judgement.CLEAR is judged(CHECK, shared(other=5e6))


def test_much_traffic_during_the_test_alone_is_a_problem_with_less_confidence() -> None:
    """One sign instead of two."""
    finding = found(CHECK, replace(healthy(600e6), other=300e6))
    assert (Judgement.PROBLEM, Confidence.MEDIUM) == (finding.verdict, finding.confidence)


def test_some_traffic_during_the_test_alone_is_unknown() -> None:
    """60 Mbit/s that nobody saw before: look again."""
    scene = replace(healthy(600e6), other=60e6)
    assert Judgement.UNKNOWN is judged(CHECK, scene)
    assert [IDLE] == [ask.trial for ask in asked(CHECK, scene)]


def test_looks_again_only_once() -> None:
    """A second idle look that shows nothing either ends the asking."""
    again = Trial(id="t0", spec=IDLE)
    scene = replace(healthy(600e6), other=60e6, tries=(again,)).view()
    windows = scene.trials[0].windows
    scene = replace(scene, trials=(scene.trials[0], replace(again, windows=windows), scene.trials[-1]))
    finding = CHECK.diagnose(scene)
    assert (Judgement.UNKNOWN, ()) == (finding.verdict, finding.asks)


def test_receiver_that_could_not_tell_its_sockets_is_unknown() -> None:
    """Without the flow's own bytes nothing is known of others'."""
    assert Judgement.UNKNOWN is judged(CHECK, replace(healthy(600e6), other=None))


def test_counters_that_went_back_are_unknown() -> None:
    """A link that was reset between the two looks has no rate."""
    scene = change(shared(), FAR, LinkCounters, lambda fact: replace(fact, rx_bytes=0), parts=("idle_after",))
    assert Judgement.UNKNOWN is judged(CHECK, scene)


def test_no_link_speed_is_unknown() -> None:
    """A share of nothing known: --link-speed is asked for."""
    scene = replace(shared(), speed=None)
    assert ["state the promised rate: --link-speed 1G"] == [ask.text for ask in asked(CHECK, scene)]


def test_loopback_does_not_apply() -> None:
    """There is no link to share within one host."""
    assert Judgement.NOT_APPLICABLE is judged(CHECK, on_loopback(shared()))


def test_some_traffic_at_rest_lets_the_test_run() -> None:
    """100 of 1000 Mbit/s are no reason to refuse it."""
    scene = untested(healthy().resting(FAR, rest("enp3s0", rx=100e6)))
    (ask,) = asked(CHECK, scene)
    assert ask.trial is not None
