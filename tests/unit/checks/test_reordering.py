"""Packets that overtake each other."""

from dataclasses import replace

import pytest

from fullrate.checks.path_loss import CHECK as PATH_LOSS
from fullrate.checks.reordering import CHECK
from fullrate.records.facts.bonding import Bond
from fullrate.records.facts.net import TcpSocket
from fullrate.records.finding import Confidence, Judgement
from unit.checks.build import CEILING, NEAR, Scene, change, evidence, found, healthy, judged, on_ipv6, on_loopback
from unit.checks.pairs import edited
from unit.checks.scenes_tcp import flow, late, path, round_robin, slowed


def test_needless_retransmits_are_a_problem() -> None:
    """500 of 518 had arrived."""
    finding = found(CHECK, late())
    assert (Judgement.PROBLEM, "path", Confidence.HIGH) == (finding.verdict, finding.subject, finding.confidence)
    assert "packets overtake each other: 97% of what was sent again had arrived" == finding.summary


def test_cost_is_what_tcp_cannot_hold_at_the_needless_share() -> None:
    """At 1 % x 500 / 518 over 20 ms TCP would hold 7.2 Mbit/s, the flow carried 60."""
    assert 941_482_445 - 60e6 == pytest.approx(found(CHECK, late()).costs_bps, rel=1e-6)


def test_cites_both_counters() -> None:
    """What the receiver reported, and what the sender saw."""
    finding = found(CHECK, late())
    assert ("sockets 5201", "+500") == evidence(finding, "dsack_dups")
    assert ("sockets 5201", "+60") == evidence(finding, "reord_seen")


def test_path_loss_leaves_late_packets_alone() -> None:
    """What overtakes is not lost."""
    assert Judgement.CLEAR is judged(PATH_LOSS, late())


@pytest.mark.parametrize(("again", "seen"), [(200, 60), (500, 0)], ids=["few needless", "nothing out of order"])
def test_one_counter_alone_is_clear(again: int, seen: int) -> None:
    """A near miss: packets were lost, the path's own loss stays."""
    scene = late(again=again, seen=seen)
    assert (Judgement.CLEAR, Judgement.PROBLEM) == (judged(CHECK, scene), judged(PATH_LOSS, scene))


def test_window_that_was_cut_for_nothing_is_a_problem() -> None:
    """All nine segments ever sent again had arrived; the window holds the flow back at 100 Mbit/s."""
    finding = found(CHECK, slowed())
    assert (Judgement.PROBLEM, Confidence.MEDIUM) == (finding.verdict, finding.confidence)
    assert CEILING - 173 * 1448 * 8 / 0.02 == pytest.approx(finding.costs_bps)
    assert "9 of 9" == evidence(finding, "needless of all sent again")[1]


@pytest.mark.parametrize(
    "scene",
    [
        slowed(seen=86),
        slowed(needless=4),
        slowed(again=0, needless=0),
        slowed(flight=150),
        slowed(window=1626, flight=1626),
    ],
    ids=["seldom", "lost", "nothing sent again", "window open", "window large enough"],
)
def test_any_sign_missing_is_clear(scene: Scene) -> None:
    """Near misses of a window cut for nothing; 0.1 % of the segments are 86.3."""
    assert Judgement.CLEAR is judged(CHECK, scene)


def test_few_retransmits_are_clear() -> None:
    """Reordering that TCP bears."""
    scene = path(600e6, lost=0.001, duplicate_sacks=50, reordering_seen=900)
    assert Judgement.CLEAR is judged(CHECK, scene)


def test_reordering_before_the_window_is_no_clean_path() -> None:
    """The samples that saw it are lost: that none came in between two late readings clears nothing."""
    scene = change(slowed(), NEAR, TcpSocket, lambda fact: edited(fact, reordering_seen=900), parts=("before", "after"))
    assert "no packet overtook another" not in found(CHECK, scene).summary
    assert "no packet overtook another" == found(CHECK, path(100e6)).summary


def test_full_link_is_clear() -> None:
    """It costs nothing."""
    assert Judgement.CLEAR is judged(CHECK, path(941e6, lost=0.01, duplicate_sacks=8000, reordering_seen=60))


def test_reordering_that_tcp_bears_is_clear() -> None:
    """0.3 % at 0.1 ms lets TCP hold 2.6 Gbit/s."""
    scene = healthy(600e6).seeing(NEAR, flow(600e6, lost=0.003, rtt=0.0001, duplicate_sacks=1500, reordering_seen=9))
    assert Judgement.CLEAR is judged(CHECK, scene)


def test_own_round_robin_bond_is_named_by_its_own_check() -> None:
    """The general cause yields."""
    assert Judgement.CLEAR is judged(CHECK, round_robin())


def test_other_bond_does_not_hide_it() -> None:
    """A bond that keeps flows together does not reorder."""
    assert Judgement.PROBLEM is judged(CHECK, late().having(NEAR, Bond(subject="enp1s0", mode="802.3ad")))


@pytest.mark.parametrize("field", ["duplicate_sacks", "reordering_seen", "retransmits"])
def test_field_that_the_kernel_left_out_is_unknown(field: str) -> None:
    """None is not zero."""
    scene = change(late(), NEAR, TcpSocket, lambda fact: edited(fact, **{field: None}), parts=("before", "after"))
    assert Judgement.UNKNOWN is judged(CHECK, scene)


def test_ipv6_is_judged_alike() -> None:
    """TCP does not care."""
    assert Judgement.PROBLEM is judged(CHECK, on_ipv6(late()))


def test_changes_nothing_by_itself() -> None:
    """The cure is on the path."""
    (remedy,) = found(CHECK, late()).remedies
    assert ((), ()) == (remedy.commands, remedy.undo)
    assert "balance-rr" in remedy.note


@pytest.mark.parametrize("scene", [on_loopback(late()), replace(late(), protocol="udp")], ids=["loopback", "udp"])
def test_without_a_path_of_tcp_it_does_not_apply(scene: object) -> None:
    """Nothing to overtake."""
    assert Judgement.NOT_APPLICABLE is judged(CHECK, scene)  # type: ignore[arg-type]
