"""Bonds of an end and their members."""

import pytest

from fullrate.checks._bonds import bond_of, members, spraying
from fullrate.records.facts.bonding import Bond
from fullrate.records.facts.link import Link
from fullrate.records.view import Missing
from unit.checks.build import NEAR
from unit.checks.scenes_tcp import bonded, path, round_robin


def test_bond_below_a_vlan_is_found() -> None:
    """The link under test is a VLAN on it."""
    vlan = Link(subject="enp1s0", ifindex=9, mtu=1500, operstate="UP", kind="vlan", lower="bond0")
    bond = Link(subject="bond0", ifindex=8, mtu=1500, operstate="UP", kind="bond")
    scene = path().having(NEAR, vlan, bond, Bond(subject="bond0", mode="802.3ad"))
    assert Bond(subject="bond0", mode="802.3ad") == bond_of(scene.view().sender)


def test_plain_link_has_none() -> None:
    """Nothing is bonded."""
    assert bond_of(path().view().sender) is None


@pytest.mark.parametrize("kind", [Bond, Link])
def test_mode_or_link_that_was_not_read_is_missing(kind: type[Bond]) -> None:
    """It may be a bond."""
    with pytest.raises(Missing):
        bond_of(bonded().lacking(NEAR, kind, "facts").view().sender)


def test_members_come_with_what_they_sent_the_busiest_first() -> None:
    """A quarter by eth0, the rest by eth1; 66 bytes of headers a packet."""
    view = bonded(80e6, split=0.25).view()
    found = members(view, view.trial(), view.sender, Bond(subject="enp1s0", mode="802.3ad"))
    assert ["eth1", "eth0"] == [member.link for member in found]
    assert 25_000_000 + 66 * 17_265 == found[1].size


def test_members_that_are_down_are_left_out() -> None:
    """They carry nothing anyway."""
    down = Link(subject="eth0", ifindex=22, mtu=1500, operstate="DOWN", master="enp1s0")
    view = bonded().having(NEAR, down).view()
    found = members(view, view.trial(), view.sender, Bond(subject="enp1s0", mode="802.3ad"))
    assert ["eth1"] == [member.link for member in found]


def test_only_round_robin_sprays() -> None:
    """Also said without its link."""
    assert spraying(round_robin().view().sender) is not None
    assert spraying(bonded().view().sender) is None
