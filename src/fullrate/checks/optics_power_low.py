"""The plugged module receives too little light, or is too hot, by the limits it states itself.

SFF-8472 and SFF-8636 modules measure received power and temperature and hold their alarm thresholds (`ethtool -m`).
Lanes without any light are not used by the link: it would not be up. Copper modules measure nothing.
"""

from dataclasses import replace

from fullrate.checks._common import clear, link_of, not_applicable, problem, saw
from fullrate.checks._glance import latest
from fullrate.checks._phy import damaged, lacks, loss_cost, on_wires, share_of_received
from fullrate.checks._wire import marginal_light
from fullrate.records.ends import ONE_WAY
from fullrate.records.facts.ethtool import LinkMode
from fullrate.records.facts.phy import OpticalModule
from fullrate.records.finding import Confidence, Evidence, Finding
from fullrate.records.leaf import Check, Per
from fullrate.records.units import BitsPerSecond
from fullrate.records.view import EndView, Missing, View

CAUSE = "optics-power-low"
_COPPER = {"Twisted Pair", "Direct Attach Copper", "MII"}  # ports, as `ethtool IFNAME` names them


def diagnose(view: View) -> Finding:
    """Whether the module of the link is out of its own limits."""
    return on_wires(view, CAUSE, view.here, lambda end: _wire(view, end))


def _wire(view: View, end: EndView) -> Finding:
    link = link_of(end)
    mode = end.want(LinkMode, link)
    if lacks(end, OpticalModule) or (mode is not None and mode.port in _COPPER):
        return not_applicable(CAUSE, f"{link} has no optical module", end=end.end, subject=link)
    module = end.need(OpticalModule, link)
    if not module.rx_powers or (module.rx_power_low_alarm is None and module.temperature_high_alarm is None):
        return not_applicable(CAUSE, f"the module of {link} states no limits", end=end.end, subject=link)
    found = marginal_light(end)
    if found is None:
        powers = ", ".join(f"{power:g}" for power in module.rx_powers)
        evidence = [saw(end.source_of(module), "rx power, dBm", powers)]
        return clear(CAUSE, "the module is within its limits", evidence, end=end.end, subject=link)
    what, seen = found
    costs, frames = _costs(view, end)
    return problem(
        CAUSE,
        f"the module of {link} {what}",
        [seen, *frames],
        end=end.end,
        subject=link,
        confidence=Confidence.HIGH if frames else Confidence.MEDIUM,
        costs_bps=costs,
    )


def _costs(view: View, end: EndView) -> tuple[BitsPerSecond, list[Evidence]]:
    """What the frames that arrived damaged cost the direction into this end; nothing when none was measured."""
    into = replace(view, direction=next(way for way in ONE_WAY if way.receiver is end.end))
    trial = into.want_trial()
    if trial is None:
        return 0.0, []
    try:
        frames = damaged(into, trial, end)
        costs = loss_cost(into, trial, share_of_received(into, trial, end, frames.grown))
    except Missing:
        return 0.0, []
    return costs, [frames.evidence] if frames.grown else []


def glance(view: View) -> Finding | None:
    """The same, of a link that nobody listed."""
    return None if latest(view, OpticalModule) is None else _wire(replace(view, trials=()), view.here)


CHECK = Check(id=CAUSE, cause=CAUSE, diagnose=diagnose, per=Per.LINK, glance=glance)
