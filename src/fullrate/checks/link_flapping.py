"""The link loses its carrier and finds it again.

The kernel counts each change (Documentation/ABI/testing/sysfs-class-net, carrier_changes), and drivers log it. Seen in
a stretch that was watched, it is certain; several in the last hour of the log are as good a sign. A few since boot are
every host's. An active Energy Efficient Ethernet is then the likelier cause and is named by its own check.
"""

from collections.abc import Sequence
from functools import partial

from fullrate.checks._common import clear, link_of, problem, saw, worst
from fullrate.checks._glance import suspect
from fullrate.checks._link_events import carrier_lost, line, logged, outage_cost
from fullrate.checks._log_glance import bursts, lines, name_of, told
from fullrate.checks._phy import wires
from fullrate.records.facts.kernel_log import KernelMessage, LogEvent
from fullrate.records.facts.phy import Carrier, EnergyEfficiency
from fullrate.records.finding import Confidence, Evidence, Finding
from fullrate.records.leaf import Check, Per
from fullrate.records.units import BitsPerSecond, Seconds
from fullrate.records.view import EndView, Missing, View

CAUSE = "link-flapping"
_OFTEN = 3  # losses in the last hour of the log: a cable that is moved gives one or two
_APART: Seconds = 300.0  # nobody moves a cable twice; a start or a switch's restart is over by then


def diagnose(view: View) -> Finding:
    """Whether the link, or one it runs on, loses its carrier."""
    here = view.here
    links = {link_of(here): here} | {link_of(wire): wire for wire in wires(view, here)}
    return worst(*(partial(_link, view, link) for link in links.values()))


def _link(view: View, end: EndView) -> Finding:
    downs = logged(end, LogEvent.LINK_DOWN)
    often = (
        [line(end, downs[-1]), saw(end.source_of(downs[-1]), "losses in the last hour", len(downs))] if downs else []
    )
    eee = end.want(EnergyEfficiency, link_of(end))
    blamed = eee is not None and eee.active
    try:
        lost = carrier_lost(view, end)
    except Missing:
        if len(downs) < _OFTEN:
            raise
        lost = None
    if lost is not None:
        trial, seen = lost
        costs = 0.0 if blamed else outage_cost(view, trial)
        return _problem(end, "lost its carrier while it was watched", [seen, *often], sure=not blamed, costs=costs)
    if len(downs) >= _OFTEN:
        return _problem(end, f"lost its carrier {len(downs)} times in an hour", often, sure=False, costs=0.0)
    carrier = end.want(Carrier, link_of(end))
    evidence = [saw(end.source_of(carrier), "carrier_changes", carrier.changes)] if carrier else []
    return clear(CAUSE, "the carrier holds", evidence, end=end.end, subject=link_of(end))


def _problem(end: EndView, what: str, evidence: list[Evidence], *, sure: bool, costs: BitsPerSecond) -> Finding:
    link = link_of(end)
    return problem(
        CAUSE,
        f"{link} {what}",
        evidence,
        end=end.end,
        subject=link,
        confidence=Confidence.HIGH if sure else Confidence.MEDIUM,
        costs_bps=costs,
    )


def glance(view: View) -> Finding | None:
    """The carrier losses of one link that the log shows within an hour: of a log of weeks every link has some."""
    mine = bursts(told(view, LogEvent.LINK_DOWN))
    often = len(mine) >= _OFTEN
    if not often and not _again_later(mine):
        return None
    eee = view.here.want(EnergyEfficiency)
    sure = Confidence.HIGH if often and not (eee is not None and eee.active) else Confidence.LOW
    words = f"{name_of(view, mine[-1])} lost its carrier {len(mine)} times in the log that was shown"
    return suspect(view, CAUSE, words, lines(view, mine), subject=mine[-1].subject, confidence=sure)


def _again_later(losses: Sequence[KernelMessage]) -> bool:
    """Whether the carrier was lost a second time, long after the first."""
    times = [one.time for one in losses if one.time is not None]
    return len(times) > 1 and max(times) - min(times) >= _APART


CHECK = Check(id=CAUSE, cause=CAUSE, diagnose=diagnose, per=Per.LINK, glance=glance)
