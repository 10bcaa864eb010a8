"""A bond that spreads the packets of one flow."""

from dataclasses import replace

import pytest

from fullrate.checks.bond_balance_rr import CHECK
from fullrate.records.facts.bonding import Bond
from fullrate.records.facts.net import TcpSocket
from fullrate.records.finding import Confidence, Judgement
from unit.checks.build import NEAR, change, evidence, found, judged
from unit.checks.pairs import edited
from unit.checks.scenes_tcp import path, round_robin


def test_round_robin_that_reorders_is_a_problem() -> None:
    """500 of 1 % sent again had arrived."""
    finding = found(CHECK, round_robin())
    assert (Judgement.PROBLEM, NEAR, "enp1s0") == (finding.verdict, finding.end, finding.subject)
    assert Confidence.HIGH is finding.confidence


def test_cost_is_what_tcp_cannot_hold() -> None:
    """Of 2 Gbit/s TCP carried 60 Mbit/s, more than it could hold at 0.97 % over 20 ms."""
    assert 2 * 941_482_445 - 60e6 == pytest.approx(found(CHECK, round_robin()).costs_bps, rel=1e-6)


def test_cites_mode_and_reordering() -> None:
    """The setting, and what it does."""
    finding = found(CHECK, round_robin())
    assert ("Bond", "balance-rr") == evidence(finding, "mode")
    assert ("sockets 5201", "+60") == evidence(finding, "reord_seen")


def test_round_robin_in_order_is_clear() -> None:
    """A near miss: two hosts back to back."""
    assert Judgement.CLEAR is judged(CHECK, round_robin(again=0, seen=0))


def test_other_modes_are_clear() -> None:
    """A near miss: the path reorders, the bond does not."""
    assert Judgement.CLEAR is judged(CHECK, round_robin(mode="802.3ad"))


def test_full_link_is_clear() -> None:
    """It costs nothing."""
    assert Judgement.CLEAR is judged(CHECK, replace(round_robin(), rate=1.88e9))


def test_changes_nothing_by_itself() -> None:
    """A bond's mode cannot be changed while it is in use."""
    (remedy,) = found(CHECK, round_robin()).remedies
    assert ((), ()) == (remedy.commands, remedy.undo)


@pytest.mark.parametrize("field", ["duplicate_sacks", "reordering_seen"])
def test_field_that_the_kernel_left_out_is_unknown(field: str) -> None:
    """None is not zero."""
    scene = change(round_robin(), NEAR, TcpSocket, lambda fact: edited(fact, **{field: None}))
    assert Judgement.UNKNOWN is judged(CHECK, scene)


def test_mode_that_was_not_read_is_unknown() -> None:
    """The link is a bond, of what mode?"""
    assert Judgement.UNKNOWN is judged(CHECK, round_robin().lacking(NEAR, Bond, "facts"))


def test_link_that_is_no_bond_does_not_apply() -> None:
    """A plain NIC."""
    assert Judgement.NOT_APPLICABLE is judged(CHECK, path())


def test_udp_alone_does_not_apply() -> None:
    """Order does not matter to it."""
    assert Judgement.NOT_APPLICABLE is judged(CHECK, replace(round_robin(), protocol="udp"))
