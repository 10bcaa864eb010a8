"""Power policies that hold a full CPU back."""

import pytest

from fullrate.checks.cpu_governor import CHECK
from fullrate.records.facts.processor import CpuClock, FrequencyControl
from fullrate.records.finding import Confidence, Judgement
from unit.checks.build import CEILING, FAR, NEAR, Scene, evidence, found, judged
from unit.checks.cpu_pairs import clocked, core, full_cpu, ordinary, policy
from unit.checks.scenes_cpu import plainly_full, powersaving


def slow(reached: float, governor: str = "schedutil") -> Scene:
    """The sender's full CPU runs at a share of its 3 GHz under a governor that may choose."""
    scene = plainly_full().having(NEAR, policy(governor=governor))
    return scene.seeing(NEAR, *clocked(reached * 3e9))


def test_lowest_clock_is_a_problem() -> None:
    """The generic powersave governor stays at 1.2 of 3 GHz."""
    finding = found(CHECK, powersaving())
    assert (Judgement.PROBLEM, NEAR, "policy0") == (finding.verdict, finding.end, finding.subject)


def test_policy_and_clock_make_it_sure() -> None:
    """What is allowed, and what was reached."""
    assert Confidence.HIGH is found(CHECK, powersaving()).confidence


def test_clock_alone_is_less_sure() -> None:
    """The governor might have gone higher."""
    finding = found(CHECK, slow(0.5))
    assert (Judgement.PROBLEM, Confidence.MEDIUM) == (finding.verdict, finding.confidence)


def test_cost_is_what_the_full_clock_would_carry() -> None:
    """500 Mbit/s at 55 % of the clock: 909 at the whole."""
    assert 500e6 / 0.55 - 500e6 == pytest.approx(found(CHECK, slow(0.55)).costs_bps)


def test_cost_ends_at_the_ceiling() -> None:
    """40 % of the clock would become more than the link carries."""
    assert CEILING - 500e6 == pytest.approx(found(CHECK, powersaving()).costs_bps)


def test_cites_governor_and_clocks() -> None:
    """As read, in MHz."""
    finding = found(CHECK, powersaving())
    assert ["powersave", "3000", "1200", "1200"] == [
        evidence(finding, field)[1]
        for field in ("policy0 scaling_governor", "policy0 cpuinfo_max", "policy0 highest", "clock under load")
    ]


def test_remedy_restores_the_governor_found() -> None:
    """Never a default."""
    (remedy,) = found(CHECK, powersaving()).remedies
    path = "/sys/devices/system/cpu/cpufreq/policy0/scaling_governor"
    assert ((f"echo performance > {path}",), (f"echo powersave > {path}",)) == (remedy.commands, remedy.undo)


def test_lowered_bound_is_a_problem_of_any_governor() -> None:
    """scaling_max_freq at 2 GHz; the remedy is in kHz, as the file is."""
    finding = found(CHECK, plainly_full().having(NEAR, policy(highest=2e9)).seeing(NEAR, *clocked(2e9)))
    path = "/sys/devices/system/cpu/cpufreq/policy0/scaling_max_freq"
    assert [((f"echo 3000000 > {path}",), (f"echo 2000000 > {path}",))] == [
        (remedy.commands, remedy.undo) for remedy in finding.remedies
    ]


def test_architecture_without_a_measured_clock() -> None:
    """What the policy allows is enough."""
    finding = found(CHECK, powersaving().seeing(NEAR, *clocked(None)))
    assert (Judgement.PROBLEM, Confidence.MEDIUM) == (finding.verdict, finding.confidence)


def test_powersave_of_intel_is_clear() -> None:
    """A near miss: intel_pstate means another thing by it and runs at full clock."""
    scene = plainly_full().having(NEAR, policy(driver="intel_pstate", governor="powersave"))
    assert Judgement.CLEAR is judged(CHECK, scene.seeing(NEAR, *clocked(2.9e9)))


def test_clock_of_many_busy_cores_is_clear() -> None:
    """A near miss: 70 % of a single core's turbo."""
    assert Judgement.CLEAR is judged(CHECK, slow(0.7))


def test_slow_clock_under_performance_is_clear() -> None:
    """The policy asks for all there is: heat or the hardware keeps it low."""
    assert Judgement.CLEAR is judged(CHECK, slow(0.5, "performance"))


def test_saving_power_with_time_left_is_clear() -> None:
    """No CPU is full: nothing is lost by it."""
    saving = policy(governor="powersave")
    scene = ordinary().having(NEAR, saving).having(FAR, saving).seeing(NEAR, *clocked(1.2e9))
    assert Judgement.CLEAR is judged(CHECK, scene)


def test_virtual_machine_is_not_applicable() -> None:
    """Its kernel chooses no clock."""
    assert Judgement.NOT_APPLICABLE is judged(CHECK, plainly_full().seeing(FAR, core(0, softirq=0.95)))


def test_receiver_counts_too() -> None:
    """Either end's CPU may be slow."""
    scene = full_cpu(softirq=0.98).having(FAR, policy(governor="powersave")).seeing(FAR, *clocked(1.2e9))
    assert FAR is found(CHECK, scene).end


def test_policy_of_other_cpus_is_unknown() -> None:
    """The full CPU's own policy is not in the answer."""
    assert Judgement.UNKNOWN is judged(CHECK, powersaving(cpus=(4, 5)))


@pytest.mark.parametrize(("kind", "part"), [(FrequencyControl, "facts"), (CpuClock, "after")])
def test_unread_policy_or_clock(kind: type[FrequencyControl | CpuClock], part: str) -> None:
    """Without the policy nothing is known; the clock of the trial's start will do."""
    expected = Judgement.UNKNOWN if part == "facts" else Judgement.PROBLEM
    assert expected is judged(CHECK, powersaving().lacking(NEAR, kind, part))
