"""What a loss costs, and where packets were lost."""

from dataclasses import replace

import pytest

from fullrate.checks._drops import local_drops
from fullrate.checks._loss import cost, loss
from fullrate.records.facts.cpu import Softnet
from fullrate.records.facts.link import LinkCounters
from fullrate.records.facts.net import ProtocolCounters, TcpSocket
from fullrate.records.facts.qdisc import Qdisc
from fullrate.records.trial import Sample, Trial
from fullrate.records.view import Missing, View
from unit.checks.build import FAR, NEAR, Scene, change, healthy
from unit.checks.pairs import counters, edited, qdisc, rule, socket, softnet

SLOW = 2000 * 1448 * 8 / 10  # 2000 segments in ten seconds


def ratio(scene: Scene) -> float:
    """The share of segments sent again."""
    view = scene.view()
    return loss(view, view.trial()).ratio


def price(scene: Scene) -> float:
    """What the scene's loss costs."""
    view = scene.view()
    found = loss(view, view.trial())
    return cost(view, view.trial(), found, found.ratio)


def drops(scene: Scene) -> list[tuple[str, str, float]]:
    """Every discard on a host: place, end, segments."""
    view = scene.view()
    return [(drop.place, str(drop.end.end), drop.segments) for drop in local_drops(view, view.trial())]


def test_ratio_of_one_connection() -> None:
    """One segment of a hundred."""
    assert 0.01 == pytest.approx(ratio(healthy(60e6, lost=0.01)), rel=0.001)


def test_ratio_over_all_connections() -> None:
    """Two of equal size, one without loss: the busiest alone would not tell."""
    scene = healthy(60e6).seeing(NEAR, socket(60e6, port=41000, lost=0.02))
    assert 0.01 == pytest.approx(ratio(scene), rel=0.001)


def test_retransmits_from_before_the_window_do_not_count() -> None:
    """The first reading already shows one."""
    assert 0.0 == ratio(healthy())


def test_nothing_sent_is_missing() -> None:
    """No share of nothing."""
    with pytest.raises(Missing, match="TcpSocket on the near end"):
        ratio(healthy().seeing(NEAR, socket(0.0)))


@pytest.mark.parametrize("field", ["segments_out", "retransmits"])
def test_field_left_out_is_missing(field: str) -> None:
    """None is not zero."""
    with pytest.raises(Missing, match="TcpSocket on the near end"):
        ratio(change(healthy(), NEAR, TcpSocket, lambda fact: edited(fact, **{field: None})))


def test_cost_by_the_square_root_of_loss() -> None:
    """At 4 % TCP holds half of what it holds at 1 %: 3.55 Mbit/s."""
    assert 941_482_445 - 3_546_861 == pytest.approx(price(healthy(SLOW, lost=0.04)), abs=1)


def test_cost_at_half_the_round_trip() -> None:
    """10 ms instead of 20: 14.19 Mbit/s instead of 7.09."""
    scene = healthy(SLOW).seeing(NEAR, socket(SLOW, lost=0.01, rtt=0.01))
    assert 941_482_445 - 14_187_445 == pytest.approx(price(scene), abs=2)


def test_connections_add_up() -> None:
    """Two hold twice as much."""
    scene = healthy(SLOW, lost=0.01).seeing(NEAR, socket(SLOW, port=41000, lost=0.01))
    assert 941_482_445 - 14_187_445 == pytest.approx(price(scene), abs=2)


@pytest.mark.parametrize(
    ("signals", "expected"),
    [
        ({"TCPSackRecovery": 5}, 10_032_038),  # 20 segments, 5 times: sqrt(2) of what it holds at 20 times
        ({"TCPRenoRecovery": 2, "TCPSackRecovery": 1, "TCPTimeouts": 2}, 10_032_038),
        ({"TCPSackRecovery": 20}, 7_093_722),
        ({"TCPSackRecovery": 900}, 7_093_722),  # other connections' as well
        ({}, 7_093_722),  # sent again for another reason
    ],
)
def test_segments_lost_at_once_count_less(signals: dict[str, int], expected: float) -> None:
    """The formula counts signals of congestion; the mean of both counts is taken, never less than the segments tell."""
    grown = {f"TcpExt{name}": count for name, count in signals.items()}
    names = ("TcpExtTCPSackRecovery", "TcpExtTCPRenoRecovery", "TcpExtTCPTimeouts")
    first = {name: 30 + place for place, name in enumerate(names)}
    last = {name: first[name] + grown.get(name, 0) for name in names}
    pair = ProtocolCounters(subject="netstat", counters=first), ProtocolCounters(subject="netstat", counters=last)
    assert 941_482_445 - expected == pytest.approx(price(healthy(SLOW, lost=0.01).seeing(NEAR, pair)), abs=2)


def test_counters_that_went_back_tell_of_no_signals() -> None:
    """The namespace was made anew: the segments alone count."""
    first, last = (ProtocolCounters(subject="netstat", counters={"TcpExtTCPTimeouts": count}) for count in (9, 3))
    assert 941_482_445 - 7_093_722 == pytest.approx(price(healthy(SLOW, lost=0.01).seeing(NEAR, (first, last))), abs=2)


@pytest.mark.parametrize(
    ("timeouts", "silent", "share"),
    [
        (10, 3.0, 0.2),  # of ten seconds: 0.2 s each
        (10, 1.0, 0.1),  # the flow stood still for a second only: the others are another connection's
        (10, 0.0, 0.0),
        (0, 3.0, 0.0),
        (-3, 3.0, 0.0),
        (900, 20.0, 0.2),
    ],
)
def test_waiting_for_timers_costs_its_time(timeouts: int, silent: float, share: float) -> None:
    """What the formula allows is had in the rest of the time; at most all that is missing."""
    view, trial = waiting(timeouts, silent)
    found = loss(view, trial)
    assert share * 941.48e6 == pytest.approx(cost(view, trial, found, found.ratio), abs=0.6e6)


def test_one_of_two_reasons_waits_for_its_part() -> None:
    """Half of the loss, half of the time."""
    view, trial = waiting(10, 3.0)
    found = loss(view, trial)
    assert 0.1 * 941.48e6 == pytest.approx(cost(view, trial, found, found.ratio / 2), abs=0.6e6)


def waiting(timeouts: int, silent: float) -> tuple[View, Trial]:
    """A flow that could have the whole link between its timeouts, and stood still for so long."""
    first, last = (
        ProtocolCounters(subject="netstat", counters={"TcpExtTCPTimeouts": count}) for count in (9, 9 + timeouts)
    )
    scene = healthy(753e6).seeing(NEAR, socket(753e6, lost=0.003, rtt=0.0001)).seeing(NEAR, (first, last))
    view = scene.view()
    still = Sample(at=20.0, seconds=silent, throughput=0.0)
    return view, replace(view.trial(), series=(*view.trial().series, still))


def test_cost_is_never_negative() -> None:
    """At 0.1 ms TCP holds more than the link."""
    assert 0.0 == price(healthy(600e6).seeing(NEAR, socket(600e6, lost=0.003, rtt=0.0001)))


def test_no_loss_costs_nothing() -> None:
    """And divides by nothing."""
    assert 0.0 == price(healthy(600e6))


@pytest.mark.parametrize("field", ["mss", "rtt"])
def test_cost_needs_mss_and_rtt(field: str) -> None:
    """A cost of zero would clear the path."""
    with pytest.raises(Missing, match="TcpSocket on the near end"):
        price(change(healthy(60e6, lost=0.01), NEAR, TcpSocket, lambda fact: edited(fact, **{field: None})))


def test_healthy_hosts_drop_nothing() -> None:
    """Four places read, none of them grew."""
    assert [] == drops(healthy())


def test_every_place_on_the_payloads_way() -> None:
    """Most first."""
    scene = healthy(60e6).seeing(NEAR, qdisc("enp1s0", 60e6, dropped=50), counters("enp1s0", tx=60e6, tx_dropped=40))
    scene = scene.seeing(FAR, counters("enp3s0", rx=60e6, rx_dropped=30), softnet(0, dropped=7), softnet(1, dropped=3))
    scene = scene.having(FAR, rule(9)).seeing(FAR, (rule(0), rule(20)))
    expected = [
        ("qdisc", "near", 50),
        ("link", "near", 40),
        ("link", "far", 30),
        ("filter", "far", 20),
        ("backlog", "far", 10),
    ]
    assert expected == drops(scene)


def test_places_that_only_acknowledgements_pass_are_left_out() -> None:
    """The sender's way in, the receiver's way out."""
    scene = healthy().seeing(NEAR, counters("enp1s0", tx=941e6, rx_dropped=40), softnet(0, dropped=9))
    scene = scene.seeing(FAR, counters("enp3s0", rx=941e6, tx_dropped=40), qdisc("enp3s0", 0.0, dropped=9))
    assert [] == drops(scene)


def test_classful_qdisc_counts_its_childrens_drops_once() -> None:
    """50 at the leaf are the 50 at the root."""
    scene = healthy().lacking(NEAR, Qdisc, "before", "after")
    root = qdisc("enp1s0", 941e6, "htb", handle="1:", dropped=50)
    leaf = qdisc("enp1s0", 941e6, "fq_codel", handle="20:", parent="1:20", dropped=50)
    assert [("qdisc", "near", 50)] == drops(scene.seeing(NEAR, root, leaf))


@pytest.mark.parametrize(("end", "kind"), [(NEAR, Qdisc), (NEAR, LinkCounters), (FAR, LinkCounters), (FAR, Softnet)])
def test_place_that_was_not_read_is_missing(end: str, kind: type[Qdisc | LinkCounters | Softnet]) -> None:
    """It may be where they were lost."""
    side = NEAR if end == NEAR else FAR
    with pytest.raises(Missing, match=f"{kind.__name__}.* on the {end} end"):
        drops(healthy().lacking(side, kind, "before", "after"))


def test_counter_that_went_back_is_missing() -> None:
    """The qdisc was replaced."""
    scene = healthy().seeing(NEAR, qdisc("enp1s0", 941e6, dropped=50))
    before = tuple(replace(fact, dropped=60) if isinstance(fact, Qdisc) else fact for fact in scene.near.before)
    with pytest.raises(Missing, match="Qdisc on the near end"):
        drops(scene.with_side(NEAR, replace(scene.near, before=before)))
