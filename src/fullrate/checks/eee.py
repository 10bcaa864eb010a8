"""Energy Efficient Ethernet is active on a link that loses its carrier.

Both partners switch their transmitters off between packets (IEEE 802.3az). Most pairs do that without harm, and a link
that is busy never sleeps; with some, waking up fails and the link drops. Active alone is no fault: only together with a
carrier that comes and goes is it accused. Whether it is the cause, switching it off shows.
"""

from fullrate.checks._common import clear, link_of, not_applicable, problem, saw
from fullrate.checks._glance import latest
from fullrate.checks._link_events import carrier_lost, line, logged, outage_cost
from fullrate.checks._log_glance import bursts, lines, told
from fullrate.checks._phy import lacks, on_wires
from fullrate.records.facts.kernel_log import LogEvent
from fullrate.records.facts.phy import EnergyEfficiency
from fullrate.records.finding import Confidence, Evidence, Finding, Remedy
from fullrate.records.leaf import Check, Per
from fullrate.records.units import BitsPerSecond
from fullrate.records.view import EndView, Missing, View

CAUSE = "eee"
_OFTEN = 3  # carrier losses in the last hour of the log, as for link-flapping


def diagnose(view: View) -> Finding:
    """Whether the link sleeps and loses its carrier."""
    return on_wires(view, CAUSE, view.here, lambda end: _wire(view, end))


def _wire(view: View, end: EndView) -> Finding:
    link = link_of(end)
    if lacks(end, EnergyEfficiency):
        return not_applicable(CAUSE, f"{link} has no Energy Efficient Ethernet", end=end.end, subject=link)
    eee = end.need(EnergyEfficiency, link)
    state = saw(end.source_of(eee), "EEE status", "active" if eee.active else "enabled" if eee.enabled else "disabled")
    if not eee.active:
        return clear(CAUSE, "it is not active", [state], end=end.end, subject=link)
    signs, costs = _drops(view, end)
    if not signs:
        return clear(CAUSE, "it is active, and the carrier holds", [state], end=end.end, subject=link)
    return _problem(end, [state, *signs], costs)


def _drops(view: View, end: EndView) -> tuple[list[Evidence], BitsPerSecond]:
    """What shows that the carrier goes, and what it cost. Raises Missing when the counters were not read."""
    downs = logged(end, LogEvent.LINK_DOWN)
    signs, costs = ([line(end, downs[-1])] if len(downs) >= _OFTEN else []), 0.0
    try:
        lost = carrier_lost(view, end)
    except Missing:
        if not signs:
            raise
        lost = None
    if lost is not None:
        trial, seen = lost
        signs, costs = [seen, *signs], outage_cost(view, trial)
    return signs, costs


def _problem(end: EndView, evidence: list[Evidence], costs: BitsPerSecond) -> Finding:
    link = link_of(end)
    remedy = Remedy(
        knob="link.eee",
        subject=link,
        value="off",
        end=end.end,
        commands=(f"ethtool --set-eee {link} eee off",),
        undo=(f"ethtool --set-eee {link} eee on",),
        note="renegotiates: the link drops for seconds. If it still flaps afterwards, it is the cable or the port",
    )
    return problem(
        CAUSE,
        f"Energy Efficient Ethernet is active on {link}, and its carrier comes and goes",
        evidence,
        end=end.end,
        subject=link,
        confidence=Confidence.MEDIUM,
        costs_bps=costs,
        remedies=(remedy,),
    )


def glance(view: View) -> Finding | None:
    """That it is active on a link whose log shows a carrier that comes and goes."""
    state, downs = latest(view, EnergyEfficiency), bursts(told(view, LogEvent.LINK_DOWN))
    if state is None or not state.active or len(downs) < _OFTEN:
        return None
    seen = saw(view.here.source_of(state), "EEE status", "active")
    return _problem(view.here, [seen, *lines(view, downs)], 0.0)


CHECK = Check(id=CAUSE, cause=CAUSE, diagnose=diagnose, per=Per.LINK, glance=glance)
