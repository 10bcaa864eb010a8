"""The speed that a paravirtual NIC shows is only a label: more passes than it says.

virtio_net, vmxnet3 and hv_netvsc show what the hypervisor was told to say; nothing enforces it. Harmless, unless
somebody takes the label for a limit: told only when the measured rate lies above it. Which drivers do so is in their
recipes (drivers/).
"""

import re
from collections.abc import Iterator

from fullrate.checks._common import clear, link_of, measured, not_applicable, problem, rate, saw
from fullrate.checks._glance import latest, suspect
from fullrate.checks._link_events import line
from fullrate.checks._log_glance import told
from fullrate.checks._modes import gigabits
from fullrate.records.facts.ethtool import DriverInfo, LinkMode
from fullrate.records.facts.kernel_log import LogEvent
from fullrate.records.facts.link import Link
from fullrate.records.finding import Confidence, Evidence, Finding
from fullrate.records.leaf import Check, Per
from fullrate.records.trial import TrialKind
from fullrate.records.units import MEGABIT, BitsPerSecond
from fullrate.records.view import View

CAUSE = "virtual-nic-speed-label"
# No link carries more payload than its speed; what a run's edges add stays far below this.
_ABOVE = 1.05


def diagnose(view: View) -> Finding:
    """Whether the shown speed misleads."""
    end = view.here
    link, recipe = end.need(Link, link_of(end)), view.recipe(end)
    driver = None if link.kind is not None else end.need(DriverInfo, link.subject)
    if driver is None or recipe is None or not recipe.label_speed:
        why = f"the speed of {link.subject} is no label of a hypervisor"
        return not_applicable(CAUSE, why, end=end.end, subject=link.subject)
    mode = end.need(LinkMode, link.subject)
    if mode.speed is None:
        return clear(CAUSE, f"{driver.driver} shows no speed", [], end=end.end, subject=link.subject)
    evidence = [saw(end.source_of(driver), "driver", driver.driver)]
    evidence += [saw(end.source_of(mode), "Speed", gigabits(mode.speed))]
    trials = [trial for trial in view.trials if trial.spec.kind is TrialKind.BULK and trial.throughput is not None]
    best = max(trials, key=rate, default=None) or view.trial()
    if rate(best) <= _ABOVE * mode.speed or view.promise.link_speed is not None:
        return clear(CAUSE, "nothing passed that its label denies", evidence, end=end.end, subject=link.subject)
    return problem(
        CAUSE,
        f"{link.subject} shows {gigabits(mode.speed)}, and more passes: that speed is a label, no limit",
        [*evidence, measured(best)],
        end=end.end,
        subject=link.subject,
        confidence=Confidence.HIGH,
    )


_LOGGED = re.compile(r"(?P<driver>[\w-]+) \S+ \S+: (?:NIC )?Link is [Uu]p (?:at )?(?P<megabits>\d+) ?Mbps")


def glance(view: View) -> Finding | None:
    """That a test which somebody showed carried more than the label says, in a listing or in the kernel's log."""
    best = max((rate(one) for one in view.trials if one.spec.sends), default=0.0)
    for driver, speed, seen in _labels(view):
        recipe = view.recipes.get(driver)
        if recipe is not None and recipe.label_speed and best > _ABOVE * speed:
            words = f"{driver} shows {gigabits(speed)}, and {gigabits(best)} passed: that speed is a label, no limit"
            evidence = [seen, saw("measured", "throughput_bps", round(best))]
            return suspect(view, CAUSE, words, evidence, confidence=Confidence.HIGH)
    return None


def _labels(view: View) -> Iterator[tuple[str, BitsPerSecond, Evidence]]:
    """Drivers, the speeds they show, and where that is seen."""
    driver, mode = latest(view, DriverInfo), latest(view, LinkMode)
    if driver is not None and mode is not None and mode.speed is not None:
        yield driver.driver, mode.speed, saw(view.here.source_of(mode), "Speed", gigabits(mode.speed))
    for one in told(view, LogEvent.LINK_UP):
        logged = _LOGGED.search(one.text)
        if logged is not None:
            yield logged["driver"], float(logged["megabits"]) * MEGABIT, line(view.here, one)


CHECK = Check(id=CAUSE, cause=CAUSE, diagnose=diagnose, per=Per.LINK, glance=glance)
