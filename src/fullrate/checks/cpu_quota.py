"""A cgroup's CPU quota stops the traffic program for part of every period.

nr_throttled counts the periods in which the group used its quota up (Documentation/scheduler/sched-bwc.rst), so the
kernel itself counts the victims. A quota on any group above the program holds for it; the root group has none.
"""

from dataclasses import dataclass

from fullrate.checks._common import clear, growth, is_full, measured, not_applicable, problem, rate, saw, worst
from fullrate.checks._glance import again, suspect
from fullrate.records.facts.cpu import CgroupQuota, CgroupThrottling, ProcessCgroup
from fullrate.records.finding import Confidence, Finding, Remedy
from fullrate.records.leaf import Check
from fullrate.records.trial import Trial
from fullrate.records.units import Seconds
from fullrate.records.view import EndView, View, WindowView

CAUSE = "cpu-quota"
_THROTTLED = 0.10  # of the periods; a single throttled period now and then costs nothing that can be measured
_MOST = 0.95  # never extrapolate a rate beyond twenty times what was seen


@dataclass(frozen=True, slots=True, kw_only=True)
class _Bite:
    """What one quota did during the trial."""

    path: str
    cpus: float
    quota_source: str
    source: str
    throttled: int
    periods: int
    stopped: float  # share of the time; the kernel sums it over CPUs, so it may exceed 1

    @property
    def share(self) -> float:
        return self.throttled / self.periods if self.periods else 0.0


def diagnose(view: View) -> Finding:
    """Whether a CPU quota of either end's program caps this direction."""
    trial = view.trial()
    return worst(lambda: _side(view, trial, view.sender), lambda: _side(view, trial, view.receiver))


def _side(view: View, trial: Trial, end: EndView) -> Finding:
    window = view.window(trial, end)
    groups, quotas = window.known(ProcessCgroup), window.known(CgroupQuota)
    if not groups:
        raise end.missing(ProcessCgroup)
    if not quotas:
        if all(group.path == "/" for group in groups):
            return not_applicable(CAUSE, "the traffic program is in the root cgroup, which has no quota", end=end.end)
        raise end.missing(CgroupQuota, groups[-1].path)
    bites = [_bite(window, quota, quota.cpus) for quota in quotas if quota.cpus is not None]
    if not bites:
        evidence = [saw(window.source_of(quota), f"CPU limit of {quota.subject}", "none") for quota in quotas]
        return clear(CAUSE, "no CPU quota on the traffic program", evidence, end=end.end, subject=groups[-1].path)
    return _judge(view, trial, end, groups[-1], max(bites, key=lambda bite: bite.share))


def _bite(window: WindowView, quota: CgroupQuota, cpus: float) -> _Bite:
    end, delta = window.end, window.need(CgroupThrottling, quota.subject)
    stopped = growth(end, CgroupThrottling, delta.before.throttled, delta.after.throttled)
    return _Bite(
        path=quota.subject,
        cpus=cpus,
        quota_source=window.source_of(quota),
        source=delta.source,
        throttled=growth(end, CgroupThrottling, delta.before.throttled_periods, delta.after.throttled_periods),
        periods=growth(end, CgroupThrottling, delta.before.periods, delta.after.periods),
        stopped=_share_of_time(end, stopped, delta.seconds),
    )


def _share_of_time(end: EndView, stopped: Seconds, seconds: Seconds) -> float:
    if seconds <= 0:
        raise end.missing(CgroupThrottling)
    return stopped / seconds


def _judge(view: View, trial: Trial, end: EndView, group: ProcessCgroup, bite: _Bite) -> Finding:
    evidence = [
        saw(bite.quota_source, f"quota of {bite.path}, CPUs", bite.cpus),
        saw(bite.source, "nr_throttled", f"+{bite.throttled} of {bite.periods} periods"),
        measured(trial),
    ]
    if bite.share < _THROTTLED or is_full(view, trial):
        return clear(CAUSE, "a CPU quota is set and did not bite", evidence, end=end.end, subject=bite.path)
    return problem(
        CAUSE,
        f"the traffic program's cgroup may use {bite.cpus:g} CPU: it was stopped in {bite.share:.0%} of all periods",
        evidence,
        end=end.end,
        subject=bite.path,
        confidence=Confidence.HIGH,
        costs_bps=_cost(view, trial, bite),
        remedies=(_remedy(end, group.version, bite.path),),
    )


def _cost(view: View, trial: Trial, bite: _Bite) -> float:
    """What the program would carry if it ran all the time, minus what it carried."""
    running = 1 - min(_MOST, bite.stopped)
    return max(0.0, min(view.ceiling, rate(trial) / running) - rate(trial))


def _remedy(end: EndView, version: int, path: str) -> Remedy:
    """Lift the limit; a copy of the file is the value found, its period included."""
    v2 = version == 2  # noqa: PLR2004 - the two hierarchies there are
    file = f"/sys/fs/cgroup{path}/cpu.max" if v2 else f"/sys/fs/cgroup/cpu{path}/cpu.cfs_quota_us"
    copy = f"fullrate-{path.strip('/').replace('/', '-')}.quota"
    return Remedy(
        knob="cgroup.cpu",
        subject=path,
        value="unlimited",
        end=end.end,
        commands=(f"cat {file} > {copy}", f"echo {'max' if v2 else '-1'} > {file}"),
        undo=(f"cat {copy} > {file}",),
        note="the first command keeps the limit found in a file of the current folder, the undo writes it back;"
        " a service's own limit is CPUQuota= in its unit, a container's is --cpus",
    )


_FEWEST = 100  # periods: ten seconds of a group at work


def glance(view: View) -> Finding | None:
    """A cgroup whose quota stopped it in many of the periods since it was made."""
    shown = [one for one in view.here.all(CgroupThrottling) if one.periods >= _FEWEST]
    most = max(shown, key=lambda one: one.throttled_periods / one.periods, default=None)
    if most is None or most.throttled_periods < _THROTTLED * most.periods:
        return None
    numbers = f"{most.throttled_periods} of {most.periods}"
    words = f"a CPU quota stopped this group in {numbers} periods, since it was made"
    seen = [saw(view.here.source_of(most), "nr_throttled of nr_periods", numbers)]
    return suspect(view, CAUSE, words, seen, subject=most.subject, asks=again(view, "cat /sys/fs/cgroup/cpu.stat"))


CHECK = Check(id=CAUSE, cause=CAUSE, diagnose=diagnose, glance=glance)
