"""The last resort: a full CPU and no special reason."""

import pytest

from fullrate.checks.cpu_bound_host import CHECK
from fullrate.records.facts.cpu import CpuTimes
from fullrate.records.facts.processor import RunningThread, ThermalThrottling, ThreadTimes
from fullrate.records.finding import Confidence, Judgement
from unit.checks.build import CEILING, FAR, NEAR, Scene, evidence, found, healthy, judged, on_ipv6
from unit.checks.cpu_pairs import core, full_cpu, handled, ordinary, thread
from unit.checks.pairs import features
from unit.checks.scenes_cpu import (
    copied,
    crowded,
    encrypted,
    hogged,
    hot,
    plainly_full,
    powersaving,
    small_packets,
    softirq_bound,
    stolen,
    threaded,
)

SPECIAL: dict[str, Scene] = {
    "encryption": encrypted(),
    "heat": hot(),
    "hog": hogged(),
    "hypervisor": stolen(),
    "napi threads": threaded(),
    "offload": plainly_full().having(NEAR, features("enp1s0", tso=False)),
    "power": powersaving(),
    "shared": crowded(),
    "small packets": small_packets(),
    "softirqs": softirq_bound(),
    "tunnel's program": copied(),
}


def test_full_cpu_is_a_problem() -> None:
    """The sender's copying fills CPU 0."""
    finding = found(CHECK, plainly_full())
    assert (Judgement.PROBLEM, NEAR, "cpu0") == (finding.verdict, finding.end, finding.subject)


def test_names_the_traffic_program() -> None:
    """Its thread has 95 % of the CPU."""
    finding = found(CHECK, plainly_full())
    assert "CPU 0 of the near end is full: iperf3 needs 95% of it" == finding.summary
    assert "95% of CPU 0" == evidence(finding, "thread 77 iperf3")[1]


def test_programs_share_is_the_second_sign() -> None:
    """Without it the verdict is a guess."""
    weak = full_cpu(NEAR, system=0.98).seeing(NEAR, thread(0, 0.4, waited=0.4))
    assert [Confidence.MEDIUM, Confidence.LOW] == [found(CHECK, one).confidence for one in (plainly_full(), weak)]


def test_cost_is_what_the_last_tick_cannot_carry() -> None:
    """92 % busy at 500 Mbit/s: 543 at the very most."""
    assert CEILING - 500e6 / 0.92 == pytest.approx(found(CHECK, full_cpu(NEAR, system=0.92)).costs_bps)


def test_waiting_for_the_cpu_counts() -> None:
    """Others fill the sender's CPU and its thread waits most of the time."""
    scene = full_cpu(NEAR, system=0.98).seeing(NEAR, thread(0, 0.2, waited=0.6))
    assert (Judgement.PROBLEM, Confidence.LOW) == (judged(CHECK, scene), found(CHECK, scene).confidence)


def test_full_cpu_that_nobody_waits_for_is_clear() -> None:
    """A near miss: others fill it, and the flow, held back by something else, always finds its turn."""
    scene = full_cpu(NEAR, system=0.98).seeing(NEAR, thread(0, 0.2, waited=0.1))
    assert Judgement.CLEAR is judged(CHECK, scene)


def test_uncounted_waiting_is_unknown() -> None:
    """Whether the thread waited decides."""
    scene = full_cpu(NEAR, system=0.98).seeing(NEAR, thread(0, 0.2, waited=None))
    assert Judgement.UNKNOWN is judged(CHECK, scene)


def test_receiver_counts_too() -> None:
    """The reader's copying."""
    assert FAR is found(CHECK, full_cpu(system=0.9, softirq=0.08)).end


def test_softirqs_on_several_cpus_are_its_own() -> None:
    """Full of softirqs, but the work is spread: no single CPU is the cause."""
    scene = softirq_bound().seeing(FAR, handled(0, 60_000), handled(1, 40_000))
    assert Judgement.PROBLEM is judged(CHECK, scene)


def test_ipv6_makes_no_difference() -> None:
    """The work is the same."""
    assert Judgement.PROBLEM is judged(CHECK, on_ipv6(plainly_full()))


@pytest.mark.parametrize("kind", SPECIAL)
def test_yields_to_a_special_kind(kind: str) -> None:
    """Where its evidence is there, that check speaks."""
    assert Judgement.CLEAR is judged(CHECK, SPECIAL[kind])


def test_busy_cpu_with_time_left_is_clear() -> None:
    """A near miss: 85 % busy."""
    assert Judgement.CLEAR is judged(CHECK, full_cpu(NEAR, system=0.85))


def test_full_link_is_clear() -> None:
    """A full CPU that fills the link limits nothing."""
    assert Judgement.CLEAR is judged(CHECK, healthy().seeing(NEAR, core(0, system=0.98)))


def test_idle_host_is_clear() -> None:
    """Nothing is full."""
    assert Judgement.CLEAR is judged(CHECK, ordinary())


@pytest.mark.parametrize("kind", [CpuTimes, ThreadTimes, RunningThread, ThermalThrottling])
def test_unread_evidence_is_unknown(kind: type[CpuTimes]) -> None:
    """On the receiver each could show a special reason."""
    scene = full_cpu(system=0.9, softirq=0.08).lacking(FAR, kind, "after")
    assert Judgement.UNKNOWN is judged(CHECK, scene)
