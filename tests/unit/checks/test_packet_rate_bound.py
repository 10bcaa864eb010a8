"""Small packets that fill a CPU."""

import pytest

from fullrate.checks.packet_rate_bound import CHECK
from fullrate.records.facts.link import LinkCounters
from fullrate.records.finding import Judgement
from unit.checks.build import CEILING, FAR, NEAR, evidence, found, judged
from unit.checks.cpu_pairs import full_cpu, ordinary
from unit.checks.pairs import counters
from unit.checks.scenes_cpu import plainly_full, small_packets


def test_small_packets_are_a_problem() -> None:
    """62,500 packets a second fill the sender's CPU at 100 Mbit/s."""
    finding = found(CHECK, small_packets())
    assert (Judgement.PROBLEM, NEAR) == (finding.verdict, finding.end)
    assert finding.summary.startswith("62,500 packets a second of 266 bytes")


def test_cost_is_what_as_many_large_packets_would_carry() -> None:
    """266 bytes become 1514, and 98 % of the CPU the whole."""
    assert 100e6 / 0.98 * 1514 / 266 - 100e6 == pytest.approx(found(CHECK, small_packets()).costs_bps)


def test_cost_ends_at_the_ceiling() -> None:
    """As many large packets would be more than the link carries."""
    assert CEILING - 100e6 == pytest.approx(found(CHECK, small_packets(40)).costs_bps)


def test_receiver_counts_too() -> None:
    """What comes in, at the receiver."""
    scene = full_cpu(rate=100e6, softirq=0.98).seeing(FAR, counters("enp3s0", rx=100e6, size=200))
    assert FAR is found(CHECK, scene).end


def test_cites_the_mean_packet() -> None:
    """Against the largest one."""
    assert "266 of 1514 possible" == evidence(found(CHECK, small_packets()), "mean packet")[1]


def test_half_of_the_largest_is_small() -> None:
    """The bound lies at 757 bytes with the headers."""
    assert Judgement.PROBLEM is judged(CHECK, small_packets(690))


def test_above_half_is_clear() -> None:
    """A near miss: 816 bytes."""
    assert Judgement.CLEAR is judged(CHECK, small_packets(750))


def test_full_packets_are_clear() -> None:
    """Larger ones do not fit."""
    assert Judgement.CLEAR is judged(CHECK, plainly_full())


def test_small_packets_with_time_left_are_clear() -> None:
    """No CPU is full."""
    scene = ordinary(100e6).seeing(NEAR, counters("enp1s0", tx=100e6, size=200))
    assert Judgement.CLEAR is judged(CHECK, scene)


def test_unread_counters_are_unknown() -> None:
    """How large the packets are decides."""
    assert Judgement.UNKNOWN is judged(CHECK, small_packets().lacking(NEAR, LinkCounters, "after"))


def test_no_packet_is_unknown() -> None:
    """A counter that stands still tells no size."""
    scene = small_packets().seeing(NEAR, counters("enp1s0"))
    assert Judgement.UNKNOWN is judged(CHECK, scene)
