"""A cgroup's CPU quota stops the traffic program for part of every period.

nr_throttled counts the periods in which the group used its quota up (Documentation/scheduler/sched-bwc.rst), so the
kernel itself counts the victims. A quota on any group above the program holds for it.
"""

from fullrate.checks._common import clear, is_full, measured, problem, rate, saw
from fullrate.records.facts.cpu import CgroupQuota, CgroupThrottling, ProcessCgroup
from fullrate.records.finding import Confidence, Finding, Remedy
from fullrate.records.leaf import Check
from fullrate.records.snapshot import Delta
from fullrate.records.trial import Trial
from fullrate.records.view import EndView, View

CAUSE = "cpu-quota"
_THROTTLED = 0.10  # of the periods; a single throttled period now and then costs nothing that can be measured
_MOST = 0.95  # never extrapolate a rate beyond twenty times what was seen
_PERIOD_US = 100_000  # the kernel's default period


def diagnose(view: View) -> Finding:
    """Whether a CPU quota of either end's program caps this direction."""
    trial = view.trial()
    findings = [_side(view, trial, end) for end in (view.sender, view.receiver)]
    return max(findings, key=lambda finding: (finding.verdict == "problem", finding.costs_bps))


def _side(view: View, trial: Trial, end: EndView) -> Finding:
    window = view.window(trial, end)
    groups = window.latest(ProcessCgroup)
    if not groups:
        raise end.missing(ProcessCgroup)
    limits = {quota.subject: quota.cpus for quota in window.latest(CgroupQuota) if quota.cpus is not None}
    if not limits:
        return clear(CAUSE, "no CPU quota on the traffic program", end=end.end, subject=groups[-1].path)
    deltas = [delta for delta in window.deltas(CgroupThrottling) if delta.after.subject in limits]
    if not deltas:
        raise end.missing(CgroupThrottling)
    worst = max(deltas, key=_share)
    evidence = [
        saw(f"cgroup {worst.after.subject}", "quota, CPUs", limits[worst.after.subject]),
        saw(worst.source, "nr_throttled", f"+{_throttled(worst)} of {_periods(worst)} periods"),
        measured(trial),
    ]
    if _share(worst) < _THROTTLED or is_full(view, trial):
        return clear(CAUSE, "a CPU quota is set and did not bite", evidence, end=end.end)
    return problem(
        CAUSE,
        f"the cgroup of the traffic program may use {limits[worst.after.subject]:g} CPU: it was stopped"
        f" in {_share(worst):.0%} of all periods",
        evidence,
        end=end.end,
        subject=worst.after.subject,
        confidence=Confidence.HIGH,
        costs_bps=_cost(view, trial, worst),
        remedies=(_remedy(end, groups[-1], worst.after.subject, limits[worst.after.subject] or 0.0),),
    )


def _throttled(delta: Delta[CgroupThrottling]) -> int:
    return delta.after.throttled_periods - delta.before.throttled_periods


def _periods(delta: Delta[CgroupThrottling]) -> int:
    return delta.after.periods - delta.before.periods


def _share(delta: Delta[CgroupThrottling]) -> float:
    return _throttled(delta) / _periods(delta) if _periods(delta) > 0 else 0.0


def _cost(view: View, trial: Trial, delta: Delta[CgroupThrottling]) -> float:
    """What the program would carry if it ran all the time, minus what it carried."""
    stopped = min(_MOST, (delta.after.throttled - delta.before.throttled) / delta.seconds) if delta.seconds > 0 else 0.0
    return max(0.0, min(view.ceiling, rate(trial) / (1 - max(0.0, stopped))) - rate(trial))


def _remedy(end: EndView, group: ProcessCgroup, path: str, cpus: float) -> Remedy:
    v2 = group.version == 2  # noqa: PLR2004 - the two hierarchies there are
    file = f"/sys/fs/cgroup{path}/cpu.max" if v2 else f"/sys/fs/cgroup/cpu{path}/cpu.cfs_quota_us"
    found = round(cpus * _PERIOD_US)
    return Remedy(
        knob="cgroup.cpu",
        subject=path,
        value="unlimited",
        end=end.end,
        commands=(f"echo {'max' if v2 else '-1'} > {file}",),
        undo=(f"echo '{found} {_PERIOD_US}' > {file}" if v2 else f"echo {found} > {file}",),
        note="a service's own limit is CPUQuota= in its unit, a container's is --cpus",
    )


CHECK = Check(id=CAUSE, cause=CAUSE, diagnose=diagnose)
