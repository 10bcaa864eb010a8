"""Receive processing on one full CPU."""

import pytest

from fullrate.checks.softirq_single_cpu import CHECK
from fullrate.records.facts.cpu import CpuTimes, Softnet
from fullrate.records.finding import Confidence, Judgement
from unit.checks.build import CEILING, FAR, NEAR, evidence, found, healthy, judged, on_ipv6
from unit.checks.cpu_pairs import core, full_cpu, handled
from unit.checks.pairs import features
from unit.checks.scenes_cpu import crowded, softirq_bound


def test_one_full_cpu_is_a_problem() -> None:
    """The receiver's CPU 0 is full of softirqs and handles 99 % of all packets."""
    finding = found(CHECK, softirq_bound())
    assert (Judgement.PROBLEM, FAR, "cpu0") == (finding.verdict, finding.end, finding.subject)


def test_cost_is_what_the_last_tick_cannot_carry() -> None:
    """98 % busy at 500 Mbit/s: 510 at the very most."""
    assert CEILING - 500e6 / 0.98 == pytest.approx(found(CHECK, softirq_bound()).costs_bps)


def test_special_kinds_are_surer() -> None:
    """Why it is one CPU is theirs to say, and they rank first at the same cost."""
    assert Confidence.MEDIUM is found(CHECK, softirq_bound()).confidence


def test_cites_both_signs() -> None:
    """The CPU's shares and its packets."""
    finding = found(CHECK, softirq_bound())
    assert "98%: softirq 90%, system 8%, user 0%, steal 0%" == evidence(finding, "CPU 0 busy")[1]
    assert ("read /proc/net/softnet_stat", "+99000 of 100000") == evidence(finding, "processed by CPU 0")


def test_ipv6_makes_no_difference() -> None:
    """The work is the same."""
    assert Judgement.PROBLEM is judged(CHECK, on_ipv6(softirq_bound()))


def test_spread_work_is_clear() -> None:
    """A near miss: CPU 1 handles a fifth of the packets."""
    scene = softirq_bound().seeing(FAR, handled(0, 80_000), handled(1, 20_000))
    assert Judgement.CLEAR is judged(CHECK, scene)


def test_shared_cpu_is_clear() -> None:
    """Program and softirqs half and half are another cause."""
    assert Judgement.CLEAR is judged(CHECK, crowded())


def test_busy_cpu_with_time_left_is_clear() -> None:
    """A near miss: 85 % busy."""
    assert Judgement.CLEAR is judged(CHECK, full_cpu(softirq=0.8, system=0.05))


def test_full_link_is_clear() -> None:
    """A full CPU that fills the link limits nothing."""
    assert Judgement.CLEAR is judged(CHECK, healthy().seeing(FAR, core(0, softirq=0.98)))


def test_missing_offload_goes_first() -> None:
    """The sender cuts packets by itself: their number is the cause, not their place."""
    scene = softirq_bound().having(NEAR, features("enp1s0", tso=False))
    assert Judgement.CLEAR is judged(CHECK, scene)


def test_unread_packets_are_unknown() -> None:
    """How many packets the CPU handled decides."""
    assert Judgement.UNKNOWN is judged(CHECK, softirq_bound().lacking(FAR, Softnet, "before", "after"))


def test_unread_cpus_are_unknown() -> None:
    """Without /proc/stat nothing can be said."""
    assert Judgement.UNKNOWN is judged(CHECK, softirq_bound().lacking(FAR, CpuTimes, "after"))
