"""Packets lost between the hosts."""

from dataclasses import replace
from typing import Any

import pytest

from fullrate.checks.path_loss import CHECK
from fullrate.records.facts.net import FilterRule, TcpSocket
from fullrate.records.finding import Confidence, Judgement
from unit.checks.build import CEILING, FAR, NEAR, Scene, asked, change, evidence, found, healthy, judged, on_loopback
from unit.checks.pairs import counters, edited, qdisc, rule, socket, softnet
from unit.checks.scenes import black_hole, filtered, lossy, queue_drops, shaped, stalled


def test_loss_that_no_host_counts_is_a_problem() -> None:
    """1 % at 20 ms, on the path."""
    finding = found(CHECK, lossy())
    assert (Judgement.PROBLEM, "path", None) == (finding.verdict, finding.subject, finding.end)


def test_cost_is_what_tcp_cannot_hold_at_this_loss() -> None:
    """1448 x 8 / 20 ms x sqrt(3/2) / sqrt(0.01) = 7.09 Mbit/s; the flow carried 4.6."""
    assert 941_482_445 - 7_093_722 == pytest.approx(found(CHECK, lossy(4_633_600)).costs_bps, abs=1)


def test_cost_counts_what_was_carried() -> None:
    """A flow that beats the formula shows what TCP can hold."""
    assert 941_482_445 - 60e6 == pytest.approx(found(CHECK, lossy(60e6)).costs_bps, rel=1e-6)


TBF: dict[str, Any] = {"rate": 100e6, "handle": "8001:", "burst": 131072, "limit": 4_000_000, "overlimits": 9000}


def shaped_too(rate: float, most: float, **fields: object) -> Scene:
    """The lossy path, behind a shaper of the sender."""
    return shaped(rate, most, **fields).seeing(NEAR, socket(rate, lost=0.01))


@pytest.mark.parametrize(
    ("scene", "expected"),
    [
        (shaped_too(60e6, 100e6), 95_640_687 - 60e6),
        (shaped_too(60e6, 63e6), 60_253_633 - 60e6),
        (shaped_too(40e6, 100e6), CEILING - 40e6),
        (shaped_too(60e6, 100e6, overlimits=0), CEILING - 60e6),
        (shaped_too(60e6, 100e6).seeing(NEAR, qdisc("enp1s0", 9e6, "tbf", **TBF)), CEILING - 60e6),
    ],
    ids=["both hold it", "at the plateau", "far below the shaper", "never held back", "carries something else"],
)
def test_beside_a_shaper_it_costs_what_that_would_let_pass(scene: Scene, expected: float) -> None:
    """100 Mbit/s x 1448 / 1514 is what the shaper leaves; the loss takes the rest of it. Near misses cost as ever."""
    finding = found(CHECK, scene)
    assert Judgement.PROBLEM is finding.verdict
    assert expected == pytest.approx(finding.costs_bps, abs=1)


def test_cites_retransmits_and_rtt() -> None:
    """Both stand in the formula."""
    finding = found(CHECK, lossy())
    assert ("sockets 5201", "+518 of 51795 segments (1.00%)") == evidence(finding, "retransmits")
    assert ("sockets 5201", "20000") == evidence(finding, "rtt_us")


@pytest.mark.parametrize(("lost", "confidence"), [(0.01, Confidence.HIGH), (0.003, Confidence.MEDIUM)])
def test_sure_only_far_above_the_noise(lost: float, confidence: Confidence) -> None:
    """Twice the share that a healthy flow never shows."""
    assert confidence is found(CHECK, lossy(lost=lost)).confidence


def test_few_retransmits_are_clear() -> None:
    """A near miss: 0.1 %, as a healthy flow through a short queue shows."""
    assert Judgement.CLEAR is judged(CHECK, healthy(600e6, lost=0.001))


def test_loss_that_costs_nothing_is_clear() -> None:
    """A near miss: 0.3 % at 0.1 ms lets TCP hold 2.6 Gbit/s."""
    scene = healthy(600e6).seeing(NEAR, socket(600e6, lost=0.003, rtt=0.0001))
    assert Judgement.CLEAR is judged(CHECK, scene)


def test_loss_on_a_full_link_is_clear() -> None:
    """It costs nothing."""
    assert Judgement.CLEAR is judged(CHECK, healthy(lost=0.01))


def test_no_loss_is_clear_without_a_ceiling() -> None:
    """Nothing lost needs no link speed."""
    assert Judgement.CLEAR is judged(CHECK, replace(healthy(600e6), speed=None))


def test_drops_of_the_senders_queue_are_not_the_paths() -> None:
    """The qdisc counts its own victims."""
    finding = found(CHECK, queue_drops())
    assert Judgement.CLEAR is finding.verdict
    assert finding.summary.endswith("qdisc on enp1s0")


def test_drops_of_the_receivers_backlog_are_not_the_paths() -> None:
    """Over all CPUs."""
    scene = lossy().seeing(FAR, softnet(0, dropped=200), softnet(1, dropped=300))
    assert found(CHECK, scene).summary.endswith("backlog on enp3s0")


def test_drops_of_the_receivers_link_are_not_the_paths() -> None:
    """Ring and driver stand in the link's counters."""
    scene = lossy().seeing(FAR, counters("enp3s0", rx=60e6, rx_dropped=500))
    assert found(CHECK, scene).summary.endswith("link on enp3s0")


def test_drops_of_a_rule_are_not_the_paths() -> None:
    """The filter counts its own victims."""
    assert found(CHECK, filtered()).summary.endswith("filter on enp3s0")


def test_small_local_drops_leave_the_path() -> None:
    """A near miss: the queue dropped 50 of 518."""
    scene = lossy().seeing(NEAR, qdisc("enp1s0", 60e6, dropped=50))
    assert Judgement.PROBLEM is judged(CHECK, scene)


def test_drops_on_the_way_of_acknowledgements_explain_nothing() -> None:
    """A near miss: the receiver's own queue and the sender's own ring dropped, and payload passes neither."""
    scene = lossy().seeing(FAR, qdisc("enp3s0", 0.0, dropped=500))
    scene = scene.seeing(NEAR, counters("enp1s0", tx=60e6, rx_dropped=500))
    assert Judgement.PROBLEM is judged(CHECK, scene)


@pytest.mark.parametrize("scene", [stalled(), black_hole()])
def test_stalled_connection_is_no_measure_of_loss(scene: object) -> None:
    """A near miss: seven retransmits by the timer, for nothing passes at all."""
    assert Judgement.UNKNOWN is judged(CHECK, scene)  # type: ignore[arg-type]


def test_filter_that_could_not_be_read_is_unknown() -> None:
    """It may have dropped them."""
    scene = lossy().refusing(NEAR, FilterRule)
    assert Judgement.UNKNOWN is judged(CHECK, scene)
    assert [NEAR] == [ask.end for ask in asked(CHECK, scene)]


def test_rule_without_a_counter_is_unknown() -> None:
    """It may have dropped them."""
    scene = lossy().having(FAR, rule(None)).seeing(FAR, (rule(None), rule(None)))
    assert Judgement.UNKNOWN is judged(CHECK, scene)


@pytest.mark.parametrize("field", ["segments_out", "retransmits", "rtt", "mss"])
def test_field_that_the_kernel_left_out_is_unknown(field: str) -> None:
    """None is not zero."""
    scene = change(lossy(), NEAR, TcpSocket, lambda fact: edited(fact, **{field: None}), parts=("before", "after"))
    assert Judgement.UNKNOWN is judged(CHECK, scene)


def test_loopback_does_not_apply() -> None:
    """There is no path within one host."""
    assert Judgement.NOT_APPLICABLE is judged(CHECK, on_loopback(lossy()))


@pytest.mark.parametrize(
    ("rtt", "expected"), [(0.0002866, Judgement.PROBLEM), (0.0002779, Judgement.CLEAR)], ids=["4 percent", "1 percent"]
)
def test_two_percent_of_the_ceiling_matter(rtt: float, expected: Judgement) -> None:
    """At 0.3 % TCP holds 96 % of the link over 287 us, 99 % over 278 us."""
    scene = healthy(600e6).seeing(NEAR, socket(600e6, lost=0.003, rtt=rtt))
    assert expected is judged(CHECK, scene)


def test_slow_connection_with_few_losses_is_judged() -> None:
    """3 % of the link are no stall, and seven losses are seven."""
    scene = healthy(30e6).seeing(NEAR, socket(30e6, segments_out=1010, retransmits=8))
    assert Judgement.PROBLEM is judged(CHECK, scene)


def test_many_losses_of_a_stalled_connection_are_judged() -> None:
    """Its timer alone does not send twelve times."""
    scene = healthy(200e3).seeing(NEAR, socket(200e3, segments_out=110, retransmits=13))
    assert Judgement.PROBLEM is judged(CHECK, scene)


def test_each_stalled_connection_has_its_timer() -> None:
    """Twice seven."""
    again = {"segments_out": 22, "retransmits": 8}
    scene = healthy(200e3).seeing(NEAR, socket(100e3, **again), socket(100e3, port=41000, **again))
    assert Judgement.UNKNOWN is judged(CHECK, scene)


def test_loss_on_a_crowded_link_is_the_crowds() -> None:
    """A near miss: another flow takes half of the link, and a full queue drops what is too much."""
    finding = found(CHECK, replace(lossy(), other=470e6))
    assert Judgement.CLEAR is finding.verdict
    assert ("trial/t1", "470000000") == evidence(finding, "other traffic")


def test_loss_beside_a_little_other_traffic_is_a_problem() -> None:
    """A tenth of the link is no crowd."""
    assert Judgement.PROBLEM is judged(CHECK, replace(lossy(), other=94e6))


@pytest.mark.parametrize(("held", "expected"), [(2.0, Judgement.CLEAR), (1.9, Judgement.PROBLEM)])
def test_loss_of_a_flow_that_the_receivers_window_holds_back_costs_nothing(held: float, expected: Judgement) -> None:
    """A slow reader's flow comes in bursts, and these overflow a queue on the way; a fifth of ten seconds decides."""
    scene = change(lossy(), NEAR, TcpSocket, lambda fact: edited(fact, receive_window_limited=held))
    assert expected is judged(CHECK, scene)


def test_kernel_that_does_not_count_windows_leaves_the_loss() -> None:
    """Before Linux 4.10 nobody told who held a flow back."""
    parts = ("before", "after")
    scene = change(lossy(), NEAR, TcpSocket, lambda fact: edited(fact, receive_window_limited=None), parts=parts)
    assert Judgement.PROBLEM is judged(CHECK, scene)
