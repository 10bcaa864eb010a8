"""A bond of which one member carries all."""

from dataclasses import replace

import pytest

from fullrate.checks.bond_hash_one_member import CHECK
from fullrate.records.facts.bonding import Bond
from fullrate.records.facts.ethtool import LinkMode
from fullrate.records.facts.link import Link, LinkCounters
from fullrate.records.finding import Confidence, Judgement
from unit.checks.build import CEILING, FAR, NEAR, Scene, evidence, found, judged
from unit.checks.pairs import counters
from unit.checks.scenes_tcp import bonded, path, udp


def receiving() -> Scene:
    """A receiver whose bond gets everything by one member."""
    scene = replace(path(930e6), speed=2e9)
    bond = Link(subject="enp3s0", ifindex=20, mtu=1500, operstate="UP", kind="bond")
    scene = scene.having(FAR, bond, Bond(subject="enp3s0", mode="802.3ad", hash_policy="layer2"))
    for name, rate in (("eth0", 0.0), ("eth1", 930e6)):
        scene = scene.having(FAR, Link(subject=name, ifindex=21, mtu=1500, operstate="UP", master="enp3s0"))
        scene = scene.seeing(FAR, counters(name, rx=rate))
    return scene


def test_one_full_member_is_a_problem() -> None:
    """All of 930 Mbit/s by eth0."""
    finding = found(CHECK, bonded())
    assert (Judgement.PROBLEM, NEAR, "enp1s0") == (finding.verdict, finding.end, finding.subject)
    assert "the one flow went by one of 2 members of enp1s0: eth0, which is full" == finding.summary
    assert Confidence.HIGH is finding.confidence


def test_cost_is_the_other_members_part() -> None:
    """941 of 1,883 Mbit/s."""
    assert CEILING == pytest.approx(found(CHECK, bonded()).costs_bps)


def test_cost_without_the_members_speed_is_an_equal_part() -> None:
    """The same, by arithmetic."""
    assert CEILING == pytest.approx(found(CHECK, bonded().lacking(NEAR, LinkMode, "facts")).costs_bps)


def test_cites_policy_and_members() -> None:
    """What it hashes by, and what came of it."""
    finding = found(CHECK, bonded())
    assert ("Bond", "802.3ad layer2") == evidence(finding, "mode, policy")
    assert ("read /proc/net/dev", "+0") == evidence(finding, "eth1, bytes")


def test_remedy_lets_ports_decide_and_restores_the_policy() -> None:
    """While the bond runs."""
    (remedy,) = found(CHECK, bonded()).remedies
    assert ("ip link set dev enp1s0 type bond xmit_hash_policy layer3+4",) == remedy.commands
    assert ("ip link set dev enp1s0 type bond xmit_hash_policy layer2",) == remedy.undo


def test_policy_that_looks_at_ports_has_no_remedy() -> None:
    """As in the report of four even source ports: only other ports or more flows help."""
    assert () == found(CHECK, bonded(policy="layer3+4")).remedies


def test_receivers_bond_is_judged_by_what_it_received() -> None:
    """Spread by the switch: no remedy here."""
    finding = found(CHECK, receiving())
    assert (Judgement.PROBLEM, FAR, ()) == (finding.verdict, finding.end, finding.remedies)


@pytest.mark.parametrize("split", [0.5, 0.85])
def test_members_that_share_are_clear(split: float) -> None:
    """A near miss: uneven, and both used."""
    assert Judgement.CLEAR is judged(CHECK, bonded(split=split))


def test_member_with_room_is_clear() -> None:
    """A near miss: 300 Mbit/s by one member; that is not the limit."""
    assert Judgement.CLEAR is judged(CHECK, bonded(300e6))


def test_full_bond_is_clear() -> None:
    """Both members are full."""
    assert Judgement.CLEAR is judged(CHECK, bonded(1.88e9, split=0.5))


def test_member_that_is_down_does_not_count() -> None:
    """A near miss: the bond has one member that is up."""
    down = Link(subject="eth1", ifindex=22, mtu=1500, operstate="DOWN", master="enp1s0")
    assert Judgement.CLEAR is judged(CHECK, bonded().having(NEAR, down))


def test_udp_is_judged_alike() -> None:
    """The hash does not care."""
    assert Judgement.PROBLEM is judged(CHECK, udp(bonded()))


@pytest.mark.parametrize("mode", ["active-backup", "balance-rr", "broadcast"])
def test_other_modes_do_not_apply(mode: str) -> None:
    """They use one member, or all for every flow."""
    assert Judgement.NOT_APPLICABLE is judged(CHECK, bonded(mode=mode))


def test_links_that_are_no_bonds_do_not_apply() -> None:
    """Plain NICs."""
    assert Judgement.NOT_APPLICABLE is judged(CHECK, path())


@pytest.mark.parametrize(
    "scene",
    [bonded().lacking(NEAR, Bond, "facts"), bonded().lacking(NEAR, LinkCounters, "before", "after")],
    ids=["mode", "counters"],
)
def test_missing_evidence_is_unknown(scene: object) -> None:
    """Both decide."""
    assert Judgement.UNKNOWN is judged(CHECK, scene)  # type: ignore[arg-type]
