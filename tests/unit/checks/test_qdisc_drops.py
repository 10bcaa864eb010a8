"""Drops of the sender's own queue."""

from dataclasses import replace

import pytest

from fullrate.checks.path_loss import CHECK as PATH_LOSS
from fullrate.checks.qdisc_drops import CHECK
from fullrate.records.facts.link import Link
from fullrate.records.facts.net import TcpSocket
from fullrate.records.facts.qdisc import Qdisc
from fullrate.records.finding import Confidence, Judgement
from unit.checks.build import FAR, NEAR, Scene, change, evidence, found, judged
from unit.checks.pairs import counters, edited, qdisc
from unit.checks.scenes import classes, shaped
from unit.checks.scenes_tcp import flow, path, queue_full, udp
from unit.checks.scenes_udp import vanishing


def test_drops_are_a_problem_without_a_retransmit() -> None:
    """1 % of the packets never left the host; TCP keeps that to itself."""
    finding = found(CHECK, queue_full())
    assert (Judgement.PROBLEM, NEAR, "enp1s0") == (finding.verdict, finding.end, finding.subject)
    assert Confidence.HIGH is finding.confidence


def test_path_loss_leaves_them_alone() -> None:
    """With retransmits too: dropped here, not on the path."""
    scene = queue_full(lost=0.01)
    assert (Judgement.PROBLEM, Judgement.CLEAR) == (judged(CHECK, scene), judged(PATH_LOSS, scene))


def test_cites_the_queues_own_counter() -> None:
    """Kind, handle and growth."""
    expected = ("run tc -s -json qdisc show", "+518 of 51795 segments")
    assert expected == evidence(found(CHECK, queue_full()), "pfifo 8003: dropped")


def test_cost_is_what_tcp_cannot_hold() -> None:
    """At 1 % over 20 ms less than the 60 Mbit/s that were carried."""
    assert 941_482_445 - 60e6 == pytest.approx(found(CHECK, queue_full()).costs_bps, rel=1e-6)


def test_cost_counts_the_waiting_for_a_timer() -> None:
    """At 0.1 ms TCP could hold the link; but nothing was in flight in half of the samples: 60 of 120 Mbit/s."""
    scene = queue_full().seeing(NEAR, flow(60e6, rtt=0.0001, unacknowledged=0, send_queue=140_000))
    finding = found(CHECK, scene)
    assert 60e6 == pytest.approx(finding.costs_bps)
    assert "50% of the samples" == evidence(finding, "data waits, none in flight")[1]


def test_program_that_has_nothing_to_send_does_not_wait() -> None:
    """Nothing in flight, and nothing in the queue."""
    scene = queue_full().seeing(NEAR, flow(60e6, rtt=0.0001, unacknowledged=0, send_queue=0))
    assert 0.0 == found(CHECK, scene).costs_bps


def test_remedy_is_a_longer_queue_and_the_one_found() -> None:
    """Four times as long."""
    (remedy,) = found(CHECK, queue_full()).remedies
    assert ("tc qdisc change dev enp1s0 root handle 8003: pfifo limit 400",) == remedy.commands
    assert ("tc qdisc change dev enp1s0 root handle 8003: pfifo limit 100",) == remedy.undo


@pytest.mark.parametrize("scene", [queue_full(handle="0:"), queue_full(limit=0)], ids=["default", "no limit"])
def test_queue_that_cannot_be_set_again_has_no_remedy(scene: object) -> None:
    """Without an exact undo no command."""
    assert () == found(CHECK, scene).remedies  # type: ignore[arg-type]


def test_few_drops_are_clear() -> None:
    """A near miss: 0.1 %."""
    assert Judgement.CLEAR is judged(CHECK, queue_full(dropped=51))


def test_full_link_is_clear() -> None:
    """fq_codel drops to tell TCP that the link is full."""
    scene = path(941e6).seeing(NEAR, qdisc("enp1s0", 941e6, dropped=9000))
    assert Judgement.CLEAR is judged(CHECK, scene)


def test_link_full_of_other_traffic_is_clear() -> None:
    """A near miss: the test got 60 of 935 Mbit/s that the link sent."""
    assert Judgement.CLEAR is judged(CHECK, queue_full().seeing(NEAR, counters("enp1s0", tx=935e6)))


def test_drops_of_a_shaper_are_its_own_doing() -> None:
    """A near miss: tbf drops what is above its rate."""
    scene = shaped(60e6, 64e6, dropped=518)
    assert Judgement.CLEAR is judged(CHECK, scene)


def test_drops_of_a_shaper_wider_than_the_link_are_a_short_queue() -> None:
    """It lets the link's whole rate pass: what it drops, its queue cannot hold."""
    assert Judgement.PROBLEM is judged(CHECK, shaped(60e6, 990e6, dropped=518))


def test_drops_below_a_shaper_are_its_doing_too() -> None:
    """The leaf of an htb fills because its class has a rate."""
    leaf = qdisc("enp1s0", 38e6, "fq_codel", handle="20:", parent="1:20", dropped=900)
    assert Judgement.CLEAR is judged(CHECK, classes(38e6, 40e6).seeing(NEAR, leaf))


def test_queue_of_another_link_is_not_on_the_way() -> None:
    """A near miss: a third link drops."""
    assert Judgement.CLEAR is judged(CHECK, path().seeing(NEAR, qdisc("enp9s0", 60e6, dropped=9000)))


def test_queue_of_the_link_below_counts() -> None:
    """A VLAN has no queue of its own."""
    vlan = Link(subject="enp1s0", ifindex=9, mtu=1500, operstate="UP", kind="vlan", lower="eth7")
    scene = path(60e6).having(NEAR, vlan).seeing(NEAR, qdisc("eth7", 60e6, "pfifo", handle="9:", dropped=518))
    assert (Judgement.PROBLEM, "eth7") == (judged(CHECK, scene), found(CHECK, scene).subject)


def test_link_without_a_queue_does_not_apply() -> None:
    """As veth by default."""
    scene = path().lacking(NEAR, Qdisc, "facts", "before", "after").seeing(NEAR, qdisc("enp1s0", 0.0, "noqueue"))
    assert Judgement.NOT_APPLICABLE is judged(CHECK, scene)


def test_receivers_queue_is_not_asked() -> None:
    """Payload does not pass it."""
    assert Judgement.CLEAR is judged(CHECK, path().seeing(FAR, qdisc("enp3s0", 0.0, dropped=9000)))


def test_counter_that_went_back_is_unknown() -> None:
    """The queue was replaced."""
    scene = change(queue_full(), NEAR, Qdisc, lambda fact: edited(fact, dropped=600), parts=("before",))
    assert Judgement.UNKNOWN is judged(CHECK, scene)


def test_no_segments_counted_is_unknown() -> None:
    """A share of nothing."""
    parts = ("before", "after")
    scene = change(queue_full(), NEAR, TcpSocket, lambda fact: edited(fact, segments_out=None), parts=parts)
    assert Judgement.UNKNOWN is judged(CHECK, scene)


def datagrams_dropped(dropped: int, *, kind: str = "pfifo", **more: int) -> Scene:
    """UDP of which the sender's queue dropped so many of the 42,459 datagrams that are missed."""
    scene = vanishing().lacking(NEAR, Qdisc, "facts", "before", "after")
    pair = qdisc("enp1s0", 450e6, kind, handle="8003:", dropped=dropped, **more)
    return scene.having(NEAR, pair[0]).seeing(NEAR, pair)


def test_datagrams_that_the_queue_drops_are_a_problem() -> None:
    """42,000 of 42,459, of 500 Mbit/s."""
    finding = found(CHECK, datagrams_dropped(42_000))
    assert (Judgement.PROBLEM, NEAR, "enp1s0") == (finding.verdict, finding.end, finding.subject)
    assert 49.46e6 == pytest.approx(finding.costs_bps, rel=1e-3)


def test_datagrams_lost_elsewhere_are_clear() -> None:
    """A near miss: 8,000 of 42,459."""
    assert Judgement.CLEAR is judged(CHECK, datagrams_dropped(8_000))


def test_no_datagram_missed_is_clear() -> None:
    """The queue dropped others."""
    scene = udp(datagrams_dropped(42_000), lost=0.0, sent=500e6)
    assert Judgement.CLEAR is judged(CHECK, scene)


def test_a_shaper_drops_datagrams_above_its_rate() -> None:
    """A near miss: that is what it is there for."""
    assert Judgement.CLEAR is judged(CHECK, datagrams_dropped(42_000, kind="tbf", rate=450_000_000))


def test_a_loss_of_datagrams_that_is_not_told_is_unknown() -> None:
    """Nobody else counts gaps."""
    assert Judgement.UNKNOWN is judged(CHECK, replace(datagrams_dropped(42_000), engine=None))
