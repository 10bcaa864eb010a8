"""The clock of a CPU under load, and what its hardware could do."""

from dataclasses import dataclass

from fullrate.records.facts.processor import CpuClock, FrequencyControl, FrequencyPolicy, Hertz, ThermalThrottling
from fullrate.records.snapshot import Delta, increase
from fullrate.records.trial import Trial
from fullrate.records.view import EndView, View

FULL_CLOCK = "performance"
_BOUND = 0.9  # of the hardware's clock: a policy that allows less was set on purpose, or by a power daemon
_SLOW = 0.6  # of the hardware's clock: below what processors reach with all cores busy (rule of thumb, not measured)
# these drivers take `powersave` for a choice of the hardware, not for the lowest clock
# (Documentation/admin-guide/pm/intel_pstate.rst and amd-pstate.rst, active mode)
_OWN_GOVERNORS = {"intel_pstate", "amd-pstate-epp", "amd_pstate_epp"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Clock:
    """One CPU's policy and its clock during a trial; None where it was not told."""

    policy: FrequencyPolicy
    running: Hertz | None
    source: str  # of the running clock
    policy_source: str

    @property
    def allowed(self) -> float | None:
        """The highest clock the policy allows, as a share of the hardware's; None when not told."""
        policy = self.policy
        lowest = policy.governor == "powersave" and policy.driver not in _OWN_GOVERNORS
        bound = policy.lowest if lowest else policy.highest
        return None if bound is None or not policy.hardware_highest else bound / policy.hardware_highest

    @property
    def reached(self) -> float | None:
        """The clock it ran at, as a share of the hardware's highest; None when not told."""
        most = self.policy.hardware_highest
        return None if self.running is None or not most else self.running / most

    @property
    def bound(self) -> bool:
        """Whether the policy allows less than the hardware can do."""
        return self.allowed is not None and self.allowed < _BOUND

    @property
    def slow(self) -> bool:
        """Whether a governor that is free to choose lets the CPU run slowly."""
        return self.policy.governor != FULL_CLOCK and self.reached is not None and self.reached < _SLOW


def clock(view: View, trial: Trial, end: EndView, cpu: str) -> Clock | None:
    """The clock of one CPU while the traffic ran; None where the kernel does not choose it. Raises Missing."""
    control = end.need(FrequencyControl)
    if not control.policies:
        return None
    policy = next((one for one in control.policies if int(cpu) in one.cpus), None)
    if policy is None:
        raise end.missing(FrequencyControl)
    window = view.window(trial, end)
    found = next((fact for fact in window.known(CpuClock) if fact.subject == cpu), None)
    if found is None:
        raise end.missing(CpuClock, cpu)
    return Clock(
        policy=policy,
        running=found.frequency,
        source=window.source_of(found),
        policy_source=end.source_of(control),
    )


def heat_events(delta: Delta[ThermalThrottling], cpu: str) -> int:
    """How often one CPU was slowed down for heat; one event often counts for the core and for its package."""
    first = {one.cpu: one for one in delta.before.cpus}
    last = next((one for one in delta.after.cpus if str(one.cpu) == cpu and one.cpu in first), None)
    if last is None:
        return 0
    start = first[last.cpu]
    core = increase(start.core_events, last.core_events) or 0
    return max(core, increase(start.package_events or 0, last.package_events or 0) or 0)


def held_low(view: View, trial: Trial, end: EndView, cpu: str) -> bool:
    """Whether policy or heat keeps a CPU below its clock. Raises Missing."""
    found = clock(view, trial, end, cpu)
    if found is not None and (found.bound or found.slow):
        return True
    return heat_events(view.window(trial, end).need(ThermalThrottling, ""), cpu) > 0
