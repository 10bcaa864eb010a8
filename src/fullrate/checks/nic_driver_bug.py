"""A transmit queue stands still although its carrier is there: driver or NIC at fault.

The kernel's watchdog logs `NETDEV WATCHDOG: ... transmit queue N timed out` (net/sched/sch_generic.c, dev_watchdog) and
has the driver reset; many drivers count it. Where the driver itself found its transmit unit hanging, nic-tx-hang says
more.
"""

from fullrate.checks._common import clear, link_of, problem, saw
from fullrate.checks._glance import suspect
from fullrate.checks._link_events import line, logged, outage_cost
from fullrate.checks._log_glance import lines, name_of, told
from fullrate.checks._phy import Count, counted, on_wires
from fullrate.records.facts.ethtool import DriverInfo, NicCounters
from fullrate.records.facts.kernel_log import KernelLog, KernelMessage, LogEvent
from fullrate.records.finding import Confidence, Evidence, Finding
from fullrate.records.leaf import Check, Per
from fullrate.records.trial import Trial
from fullrate.records.view import EndView, View

CAUSE = "nic-driver-bug"


def diagnose(view: View) -> Finding:
    """Whether a transmit queue of the link timed out."""
    return on_wires(view, CAUSE, view.here, lambda end: _wire(view, end))


def _wire(view: View, end: EndView) -> Finding:
    link = link_of(end)
    timeouts = logged(end, LogEvent.TRANSMIT_TIMEOUT)
    counts = _counts(view, end)
    stuck = next(((trial, count) for trial, count in counts if count.grown), None)
    if logged(end, LogEvent.TRANSMIT_HANG):
        return clear(CAUSE, "its transmit unit hung: see nic-tx-hang", _lines(end, timeouts), end=end.end, subject=link)
    if stuck is not None:
        trial, count = stuck
        evidence = [count.evidence, *_lines(end, timeouts)]
        what, costs = f"a transmit queue of {link} timed out while it was watched", outage_cost(view, trial)
        return _problem(end, what, evidence, sure=True, costs=costs)
    if timeouts:
        what = f"a transmit queue of {link} timed out ({len(timeouts)} in the last hour)"
        return _problem(end, what, _lines(end, timeouts), sure=False, costs=0.0)
    evidence = [count.evidence for _, count in counts[:1]]
    if not evidence:
        log = end.need(KernelLog)
        evidence = [saw(end.source_of(log), "lines of the kernel's log", log.lines)]
    return clear(CAUSE, "no transmit queue timed out", evidence, end=end.end, subject=link)


def _counts(view: View, end: EndView) -> list[tuple[Trial, Count]]:
    """The driver's count of time-outs in each stretch watched; empty for a driver that has none, or unread."""
    end.need(DriverInfo, link_of(end))
    windows = [window for window in view.stretches(end) if window.want(NicCounters, link_of(end)) is not None]
    found = [(window.trial, counted(window, view.recipe(end), lambda one: one.transmit_stuck)) for window in windows]
    return [(trial, count) for trial, count in found if count is not None]


def _lines(end: EndView, timeouts: tuple[KernelMessage, ...]) -> list[Evidence]:
    return [line(end, message) for message in timeouts[-1:]]


def _problem(end: EndView, what: str, evidence: list[Evidence], *, sure: bool, costs: float) -> Finding:
    return problem(
        CAUSE,
        what,
        evidence,
        end=end.end,
        subject=link_of(end),
        confidence=Confidence.HIGH if sure else Confidence.MEDIUM,
        costs_bps=costs,
    )


def glance(view: View) -> Finding | None:
    """The time-outs that the kernel's watchdog logged."""
    found = told(view, LogEvent.TRANSMIT_TIMEOUT)
    if not found:
        return None
    name = name_of(view, found[-1])
    words = f"a transmit queue of {name} timed out; the kernel's log says so {len(found)} times"
    return suspect(view, CAUSE, words, lines(view, found), subject=name)


CHECK = Check(id=CAUSE, cause=CAUSE, diagnose=diagnose, per=Per.LINK, glance=glance)
