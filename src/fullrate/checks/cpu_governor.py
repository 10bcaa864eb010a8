"""The power policy keeps a CPU that is full below the clock it could run at.

scaling_max_freq bounds every governor, `powersave` without an own driver stays at scaling_min_freq, and others raise
the clock only as they see load (Documentation/admin-guide/pm/cpufreq.rst). The highest clock of the hardware is one
core's turbo: with all cores busy a processor runs well below it whatever the governor.
"""

from fullrate.checks._clock import FULL_CLOCK, Clock, clock
from fullrate.checks._common import clear, measured, not_applicable, problem, saw
from fullrate.checks._cores import Core, at_ease, gain, limit, of_both
from fullrate.checks._settings_glance import clock as held_clock
from fullrate.records.facts.processor import FrequencyPolicy
from fullrate.records.finding import Confidence, Evidence, Finding, Remedy
from fullrate.records.leaf import Check
from fullrate.records.trial import Trial
from fullrate.records.units import MEGABIT
from fullrate.records.view import EndView, View

CAUSE = "cpu-governor"
_MEGAHERTZ = MEGABIT


def diagnose(view: View) -> Finding:
    """Whether the power policy slows the CPU that limits either end."""
    return of_both(view, _side)


def _side(view: View, trial: Trial, end: EndView) -> Finding:
    core = limit(view, trial, end)
    if core is None:
        return at_ease(CAUSE, view, trial, end)
    found = clock(view, trial, end, core.cpu)
    if found is None:
        return not_applicable(CAUSE, "this kernel does not choose the clock of its CPUs", end=end.end)
    return _judge(view, trial, end, core, found)


def _judge(view: View, trial: Trial, end: EndView, core: Core, found: Clock) -> Finding:
    policy, evidence = found.policy, [core.evidence, *_evidence(found), measured(trial)]
    if not found.bound and not found.slow:
        return clear(CAUSE, f"CPU {core.cpu} runs near its highest clock, or may", evidence, end=end.end)
    shares = [share for share in (found.allowed, found.reached) if share is not None]
    return problem(
        CAUSE,
        f"the power policy ({policy.governor}) holds CPU {core.cpu} at {min(shares):.0%} of its highest clock",
        evidence,
        end=end.end,
        subject=policy.name,
        confidence=Confidence.HIGH if found.bound and found.slow else Confidence.MEDIUM,
        costs_bps=gain(view, trial, core.busy * min(shares)),
        remedies=_remedies(end, policy, bound=found.bound),
    )


def _evidence(found: Clock) -> list[Evidence]:
    policy = found.policy
    hardware = (policy.hardware_highest or 0.0) / _MEGAHERTZ
    rows = [
        saw(found.policy_source, f"{policy.name} scaling_governor", policy.governor),
        saw(found.policy_source, f"{policy.name} cpuinfo_max_freq, MHz", round(hardware)),
    ]
    if found.allowed is not None:
        rows.append(saw(found.policy_source, f"{policy.name} highest allowed, MHz", round(found.allowed * hardware)))
    if found.running is not None:
        rows.append(saw(found.source, "clock under load, MHz", round(found.running / _MEGAHERTZ)))
    return rows


def _remedies(end: EndView, policy: FrequencyPolicy, *, bound: bool) -> tuple[Remedy, ...]:
    changes = []
    if policy.governor not in {None, FULL_CLOCK}:
        changes.append(("scaling_governor", FULL_CLOCK, policy.governor))
    if bound and policy.highest and policy.hardware_highest and policy.highest < policy.hardware_highest:
        changes.append(
            ("scaling_max_freq", str(round(policy.hardware_highest / 1000)), str(round(policy.highest / 1000)))
        )
    return tuple(_remedy(end, policy, file, value, found) for file, value, found in changes)


def _remedy(end: EndView, policy: FrequencyPolicy, file: str, value: str, found: str | None) -> Remedy:
    path = f"/sys/devices/system/cpu/cpufreq/{policy.name}/{file}"
    return Remedy(
        knob=f"cpu.{file}",
        subject=policy.name,
        value=value,
        end=end.end,
        commands=(f"echo {value} > {path}",),
        undo=(f"echo {found} > {path}",),
        note="the CPUs of the other policies want the same; costs power and heat; tuned or a power daemon may undo it",
    )


def glance(view: View) -> Finding | None:
    """A power policy that may hold the clock down."""
    return held_clock(view, CAUSE)


CHECK = Check(id=CAUSE, cause=CAUSE, diagnose=diagnose, glance=glance)
