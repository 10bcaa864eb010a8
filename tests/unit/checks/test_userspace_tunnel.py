"""Tunnels whose program fills a CPU."""

import pytest

from fullrate.checks.userspace_tunnel import CHECK
from fullrate.records.facts.processor import RunningThread
from fullrate.records.finding import Confidence, Judgement
from unit.checks.build import CEILING, FAR, NEAR, evidence, found, judged
from unit.checks.cpu_pairs import full_cpu, ordinary, running, tunnel
from unit.checks.scenes_cpu import copied, plainly_full


def test_full_program_is_a_problem() -> None:
    """The sender's VPN program."""
    finding = found(CHECK, copied())
    assert (Judgement.PROBLEM, NEAR, "enp1s0") == (finding.verdict, finding.end, finding.subject)


def test_which_program_holds_the_device_is_not_known() -> None:
    """It is only the one that fills the CPU."""
    assert Confidence.MEDIUM is found(CHECK, copied()).confidence


def test_cost_is_what_the_last_tick_cannot_carry() -> None:
    """98 % busy at 500 Mbit/s."""
    assert CEILING - 500e6 / 0.98 == pytest.approx(found(CHECK, copied()).costs_bps)


def test_names_the_program() -> None:
    """With its share."""
    finding = found(CHECK, copied())
    assert finding.summary.startswith("openvpn copies every packet")
    assert "about 80% of a CPU" == evidence(finding, "thread 812 openvpn")[1]


def test_receiver_counts_too() -> None:
    """Either end's program."""
    scene = tunnel(full_cpu(system=0.7, user=0.28, own=0.1), "tun").seeing(FAR, running(812, "tailscaled", 0, 9))
    assert FAR is found(CHECK, scene).end


def test_program_with_time_left_is_clear() -> None:
    """A near miss: less than half of the CPU."""
    assert Judgement.CLEAR is judged(CHECK, copied(seconds=4))


def test_traffic_program_itself_is_clear() -> None:
    """It is the test that fills the CPU."""
    assert Judgement.CLEAR is judged(CHECK, tunnel(plainly_full(), "tun"))


def test_tunnel_with_time_left_is_clear() -> None:
    """No CPU is full."""
    assert Judgement.CLEAR is judged(CHECK, tunnel(ordinary(), "tun"))


def test_kernel_tunnel_is_not_applicable() -> None:
    """A near miss: no program copies its packets."""
    assert Judgement.NOT_APPLICABLE is judged(CHECK, tunnel(copied(), "wireguard"))


def test_unread_programs_are_unknown() -> None:
    """Who fills the CPU decides."""
    assert Judgement.UNKNOWN is judged(CHECK, copied().lacking(NEAR, RunningThread, "after"))
