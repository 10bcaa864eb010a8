"""A full CPU was slowed down for heat while the test ran.

Intel processors lower their clock at a trip temperature and the kernel counts each time (Documentation/admin-guide/
thermal/intel_thermal_throttle.rst). What it costs is told by the clock meanwhile; without one it is left at nothing.
"""

from fullrate.checks._clock import Clock, clock, heat_events
from fullrate.checks._common import clear, measured, not_applicable, problem, saw
from fullrate.checks._cores import Core, at_ease, gain, limit, of_both
from fullrate.checks._glance import again, suspect
from fullrate.checks._log_glance import lines
from fullrate.records.facts.kernel_log import KernelMessage, LogEvent
from fullrate.records.facts.processor import FirmwareThrottling, FrequencyControl, ThermalThrottling
from fullrate.records.finding import Confidence, Evidence, Finding
from fullrate.records.leaf import Check
from fullrate.records.trial import Trial
from fullrate.records.view import EndView, View

CAUSE = "thermal-throttle"


def diagnose(view: View) -> Finding:
    """Whether heat slows the CPU that limits either end."""
    return of_both(view, _side)


def _side(view: View, trial: Trial, end: EndView) -> Finding:
    core = limit(view, trial, end)
    if core is None:
        return at_ease(CAUSE, view, trial, end)
    delta = view.window(trial, end).need(ThermalThrottling, "")
    if not delta.after.cpus:
        return not_applicable(CAUSE, "this hardware counts no throttling, or this is a virtual machine", end=end.end)
    events = heat_events(delta, core.cpu)
    evidence = [core.evidence, saw(delta.source, f"throttle events of CPU {core.cpu}", f"+{events}"), measured(trial)]
    if not events:
        return clear(CAUSE, f"CPU {core.cpu} was not slowed down for heat", evidence, end=end.end)
    return _problem(view, trial, end, core, evidence)


def _problem(view: View, trial: Trial, end: EndView, core: Core, evidence: list[Evidence]) -> Finding:
    found = clock(view, trial, end, core.cpu) if end.want(FrequencyControl) else None
    share = _reached(found, evidence)
    return problem(
        CAUSE,
        f"CPU {core.cpu} was slowed down for heat while it was the limit",
        evidence,
        end=end.end,
        subject=f"cpu{core.cpu}",
        confidence=Confidence.HIGH,
        costs_bps=0.0 if share is None else gain(view, trial, core.busy * share),
    )


def _reached(found: Clock | None, evidence: list[Evidence]) -> float | None:
    if found is None or found.reached is None:
        return None
    evidence.append(saw(found.source, "clock under load, of the highest", f"{found.reached:.0%}"))
    return found.reached


def glance(view: View) -> Finding | None:
    """That the kernel logged that heat slowed a CPU down, or that a Raspberry Pi's firmware says so."""
    found = tuple(one for one in view.here.all(KernelMessage) if one.event is LogEvent.THERMAL_THROTTLING)
    if not found:
        return _firmware(view)
    words = f"heat slowed a CPU down: the kernel's log says so {len(found)} times"
    return suspect(view, CAUSE, words, lines(view, found), subject="", asks=again(view, "grep MHz /proc/cpuinfo"))


def _firmware(view: View) -> Finding | None:
    said = view.here.all(FirmwareThrottling)
    hot = [one for one in said if one.heat(now=True) or one.heat(now=False)]
    if not hot:
        return None
    now = any(one.heat(now=True) for one in said)
    words = f"heat {'slows' if now else 'slowed'} the CPUs down{'' if now else ' at some time since boot'}: firmware"
    seen = [saw(view.here.source_of(hot[-1]), "throttled", hex(hot[-1].bits))]
    sure = Confidence.MEDIUM if now else Confidence.LOW
    return suspect(view, CAUSE, words, seen, subject="", confidence=sure, asks=again(view, "vcgencmd get_throttled"))


CHECK = Check(id=CAUSE, cause=CAUSE, diagnose=diagnose, glance=glance)
