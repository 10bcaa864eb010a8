"""The clock of a CPU under load."""

import pytest

from fullrate.checks._clock import Clock, clock, heat_events, held_low
from fullrate.records.facts.processor import CpuThrottle, FrequencyPolicy, ThermalThrottling
from fullrate.records.snapshot import Delta
from fullrate.records.view import Missing
from unit.checks.build import NEAR, Scene
from unit.checks.cpu_pairs import clocked, heat, ordinary, policy


def made(running: float | None = None, **fields: object) -> Clock:
    """A clock of a policy with some fields."""
    (one,) = policy(**fields).policies
    return Clock(policy=one, running=running, source="a", policy_source="b")


def seen(scene: Scene, cpu: str = "0") -> Clock | None:
    """The clock of the sender's CPU."""
    view = scene.view()
    return clock(view, view.trial(), view.sender, cpu)


def held(scene: Scene) -> bool:
    """Whether the sender's CPU 0 is kept below its clock."""
    view = scene.view()
    return held_low(view, view.trial(), view.sender, "0")


@pytest.mark.parametrize(
    ("driver", "governor", "expected"),
    [
        ("acpi-cpufreq", "powersave", 0.4),
        ("intel_pstate", "powersave", 1.0),
        ("amd-pstate-epp", "powersave", 1.0),
        ("acpi-cpufreq", "ondemand", 1.0),
    ],
)
def test_allowed_share(driver: str, governor: str, expected: float) -> None:
    """The lowest clock for the generic powersave alone."""
    assert expected == pytest.approx(made(driver=driver, governor=governor).allowed)


def test_bound_of_every_governor() -> None:
    """scaling_max_freq holds for all."""
    assert (True, False) == (made(highest=2e9).bound, made(highest=2.8e9).bound)


def test_reached_share() -> None:
    """1.5 of 3 GHz."""
    assert 0.5 == made(1.5e9).reached


@pytest.mark.parametrize(("governor", "expected"), [("schedutil", True), ("performance", False)])
def test_slow_by_choice(governor: str, expected: bool) -> None:  # noqa: FBT001 - a case of the table
    """Under `performance` it is not the governor's choice."""
    assert expected is made(1.5e9, governor=governor).slow


def test_what_was_not_told_is_not_held_against_it() -> None:
    """A policy without numbers, a clock that was not read."""
    bare = Clock(policy=FrequencyPolicy(name="policy0"), running=None, source="", policy_source="")
    assert (None, None, False, False) == (bare.allowed, bare.reached, bare.bound, bare.slow)


def test_clock_during_a_trial() -> None:
    """With the policy of its CPU."""
    found = seen(ordinary().having(NEAR, policy()).seeing(NEAR, *clocked(1.5e9)))
    assert (1.5e9, "policy0") == (getattr(found, "running", None), getattr(getattr(found, "policy", None), "name", ""))


def test_no_frequency_control() -> None:
    """A virtual machine has no clock to choose."""
    assert None is seen(ordinary())


def test_cpu_of_no_policy_is_missing() -> None:
    """The answer does not hold it."""
    with pytest.raises(Missing, match="FrequencyControl"):
        seen(ordinary().having(NEAR, policy()).seeing(NEAR, *clocked(1.5e9)), "7")


def test_unread_clock_is_missing() -> None:
    """At no moment of the trial."""
    with pytest.raises(Missing, match="CpuClock of 0"):
        seen(ordinary().having(NEAR, policy()))


@pytest.mark.parametrize(
    ("core", "package", "expected"),
    [((4, 9), (9, 9), 5), ((4, 4), (9, 12), 3), ((4, 6), (9, 12), 3), ((4, 2), (9, 9), 0)],
)
def test_heat_events(core: tuple[int, int], package: tuple[int, int], expected: int) -> None:
    """The core's or the package's, whichever are more; a counter that went back is none."""
    moments = [
        ThermalThrottling(cpus=(CpuThrottle(cpu=0, core_events=core[moment], package_events=package[moment]),))
        for moment in (0, 1)
    ]
    delta = Delta(before=moments[0], after=moments[1], seconds=10.0, source="a")
    assert expected == heat_events(delta, "0")


def test_heat_of_a_cpu_that_is_not_counted() -> None:
    """It came online meanwhile."""
    first, last = heat(events=5)
    assert isinstance(first, ThermalThrottling)
    assert isinstance(last, ThermalThrottling)
    assert 0 == heat_events(Delta(before=first, after=last, seconds=10.0, source="a"), "7")


@pytest.mark.parametrize(
    ("scene", "expected"),
    [
        (ordinary(), False),
        (ordinary().having(NEAR, policy(governor="powersave")).seeing(NEAR, *clocked(1.2e9)), True),
        (ordinary().having(NEAR, policy()).seeing(NEAR, *clocked(1.2e9)), False),
        (ordinary().having(NEAR, policy()).seeing(NEAR, *clocked(1.2e9), heat(events=1)), True),
    ],
)
def test_held_low(scene: Scene, expected: bool) -> None:  # noqa: FBT001 - a case of the table
    """By policy or by heat."""
    assert expected is held(scene)
