"""Tunnels that carry what fits beside their headers."""

from dataclasses import replace

import pytest

from fullrate.checks.tunnel_overhead import CHECK
from fullrate.records.facts.link import Link
from fullrate.records.finding import Confidence, Judgement
from unit.checks.build import NEAR, evidence, found, judged, on_ipv6
from unit.checks.scenes_tcp import tunnel


def test_full_tunnel_is_explained_by_its_headers() -> None:
    """907 of 909 Mbit/s."""
    finding = found(CHECK, tunnel())
    assert (Judgement.PROBLEM, "enp1s0", Confidence.HIGH) == (finding.verdict, finding.subject, finding.confidence)


def test_cites_headers_and_goodput() -> None:
    """1398 of 1538 bytes of 1 Gbit/s: as reported of a container overlay."""
    finding = found(CHECK, tunnel())
    assert ("arithmetic", "50") == evidence(finding, "vxlan headers")
    assert ("arithmetic", "908972692") == evidence(finding, "goodput through the tunnel")


def test_cost_is_what_the_headers_take() -> None:
    """1398/1488 - 1398/1538 of 1 Gbit/s."""
    assert 1e9 * (1398 / 1488 - 1398 / 1538) == pytest.approx(found(CHECK, tunnel()).costs_bps)


@pytest.mark.parametrize(
    ("kind", "mtu", "rate"),
    [
        ("wireguard", 1420, 900e6),  # 1368 of 1518
        ("gre", 1476, 915e6),  # 1424 of 1538
        ("gretap", 1462, 915e6),  # 1410 of 1538
        ("ipip", 1480, 920e6),  # 1428 of 1538
        ("geneve", 1450, 907e6),  # 1398 of 1538
        ("ip6tnl", 1460, 914e6),  # 1408 of 1538
    ],
)
def test_every_kind_has_its_headers(kind: str, mtu: int, rate: float) -> None:
    """Each full at its own rate."""
    assert Judgement.PROBLEM is judged(CHECK, tunnel(rate, kind, mtu))


def test_ipv6_inside_carries_less() -> None:
    """1378 of 1538 bytes."""
    assert "895968791" == evidence(found(CHECK, on_ipv6(tunnel(890e6))), "goodput through the tunnel")[1]


def test_ipv6_outside_is_allowed_for() -> None:
    """1378 of 1538 bytes at the same MTU would be 897 Mbit/s: not told apart."""
    assert Judgement.PROBLEM is judged(CHECK, tunnel(893e6))


@pytest.mark.parametrize("rate", [500e6, 860e6, 930e6])
def test_other_rates_are_clear(rate: float) -> None:
    """A near miss: the headers explain only a part, or less than what passed."""
    assert Judgement.CLEAR is judged(CHECK, tunnel(rate))


def test_full_link_is_clear() -> None:
    """More passes than the tunnel would let: the link below is faster than was said."""
    assert Judgement.CLEAR is judged(CHECK, tunnel(935e6))


def test_tunnel_at_the_far_end_counts() -> None:
    """Only one end may show it."""
    scene = tunnel().having(NEAR, Link(subject="enp1s0", ifindex=9, mtu=1450, operstate="UP", kind="veth"))
    assert "enp3s0" == found(CHECK, scene).subject


@pytest.mark.parametrize("kind", [None, "veth", "vlan", "bond"])
def test_other_links_do_not_apply(kind: str | None) -> None:
    """They add no headers, or ones that are counted."""
    assert Judgement.NOT_APPLICABLE is judged(CHECK, tunnel(kind=kind))


@pytest.mark.parametrize(
    "scene", [tunnel().lacking(NEAR, Link, "facts"), replace(tunnel(), speed=None)], ids=["link", "speed"]
)
def test_missing_evidence_is_unknown(scene: object) -> None:
    """Kind and speed decide."""
    assert Judgement.UNKNOWN is judged(CHECK, scene)  # type: ignore[arg-type]
