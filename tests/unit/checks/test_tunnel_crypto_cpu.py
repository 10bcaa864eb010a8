"""Tunnels whose encryption fills a CPU."""

import pytest

from fullrate.checks.tunnel_crypto_cpu import CHECK
from fullrate.records.facts.link import Link
from fullrate.records.finding import Confidence, Judgement
from unit.checks.build import CEILING, FAR, NEAR, evidence, found, judged
from unit.checks.cpu_pairs import full_cpu, ordinary, running, tunnel
from unit.checks.scenes_cpu import encrypted, plainly_full


def test_full_cpu_under_wireguard_is_a_problem() -> None:
    """The sender's."""
    finding = found(CHECK, encrypted())
    assert (Judgement.PROBLEM, NEAR, "enp1s0") == (finding.verdict, finding.end, finding.subject)


def test_working_threads_make_it_sure() -> None:
    """A full CPU, and the time of the workers that encrypt."""
    finding = found(CHECK, encrypted())
    assert (Confidence.HIGH, "+4 s of CPU time") == (finding.confidence, evidence(finding, "wg-crypt-")[1])


def test_idle_workers_make_it_less_sure() -> None:
    """Something else may fill the CPU."""
    assert Confidence.MEDIUM is found(CHECK, encrypted(seconds=0)).confidence


def test_cost_is_what_the_last_tick_cannot_carry() -> None:
    """A full CPU at 500 Mbit/s."""
    assert CEILING - 500e6 == pytest.approx(found(CHECK, encrypted()).costs_bps)


@pytest.mark.parametrize("kind", ["xfrm", "vti", "vti6"])
def test_full_receiver_under_ipsec_is_a_problem(kind: str) -> None:
    """It decrypts in the softirq of one CPU: no worker shows."""
    finding = found(CHECK, tunnel(full_cpu(softirq=0.98), kind))
    assert (FAR, Confidence.MEDIUM) == (finding.end, finding.confidence)


def test_link_above_the_tunnel_counts() -> None:
    """A VLAN or bridge on a tunnel is encrypted too."""
    upper = Link(subject="enp1s0", ifindex=3, mtu=1500, operstate="UP", kind="macvlan", lower="wg0")
    lower = Link(subject="wg0", ifindex=2, mtu=1420, operstate="UNKNOWN", kind="wireguard")
    assert "wg0" == found(CHECK, plainly_full().having(NEAR, upper, lower)).subject


def test_workers_of_others_do_not_count() -> None:
    """Only names with wg-crypt."""
    scene = encrypted(seconds=0).seeing(NEAR, running(51, "kworker/0:2-events", 0, 9))
    assert Confidence.MEDIUM is found(CHECK, scene).confidence


def test_tunnel_with_time_left_is_clear() -> None:
    """No CPU is full."""
    assert Judgement.CLEAR is judged(CHECK, tunnel(ordinary(), "wireguard"))


def test_tunnel_that_encrypts_nothing_is_not_applicable() -> None:
    """A near miss: VXLAN only wraps."""
    assert Judgement.NOT_APPLICABLE is judged(CHECK, tunnel(plainly_full(), "vxlan"))


def test_physical_link_is_not_applicable() -> None:
    """No tunnel."""
    assert Judgement.NOT_APPLICABLE is judged(CHECK, plainly_full())


def test_unread_link_is_unknown() -> None:
    """What kind it is decides."""
    assert Judgement.UNKNOWN is judged(CHECK, plainly_full().lacking(NEAR, Link, "facts"))
