"""The cloud instance used up its allowance, and the provider holds back or drops what is above it.

The adapter counts those packets itself; which counters do is in the driver's recipe (of ena: bw_in, bw_out and
pps_allowance_exceeded; its documentation, "Metrics for the ENA driver"). What passed meanwhile is what the allowance
lets pass.
"""

from fullrate.checks._common import (
    clear,
    growth,
    is_full,
    link_delta,
    link_of,
    measured,
    not_applicable,
    problem,
    rate,
    saw,
    worst,
)
from fullrate.checks._glance import again, counters, grown, suspect
from fullrate.records.facts.ethtool import DriverInfo, NicCounters
from fullrate.records.facts.link import LinkCounters
from fullrate.records.finding import Confidence, Evidence, Finding
from fullrate.records.leaf import Check, Per
from fullrate.records.recipe import Recipe, matching
from fullrate.records.trial import Trial
from fullrate.records.view import EndView, View

CAUSE = "cloud-allowance-exceeded"
_EXCEEDED = 0.01  # of the link's packets: a burst above the allowance now and then costs nothing


def diagnose(view: View) -> Finding:
    """Whether a provider's allowance caps this direction."""
    return worst(lambda: _side(view, view.sender), lambda: _side(view, view.receiver))


def _side(view: View, end: EndView) -> Finding:
    link = link_of(end)
    driver = end.need(DriverInfo, link).driver
    recipe = view.recipe(end)
    if recipe is None or not recipe.allowance:
        return not_applicable(CAUSE, f"{driver} counts no allowance of a provider", end=end.end, subject=link)
    trial = view.want_trial() or view.want_trial("udp") or view.trial()
    return _judge(view, trial, end, recipe)


def _judge(view: View, trial: Trial, end: EndView, recipe: Recipe) -> Finding:
    link = link_of(end)
    delta = view.window(trial, end).need(NicCounters, link)
    names = matching(delta.after.counters, recipe.allowance)
    if not names:
        raise end.missing(NicCounters, link)
    grown = {
        name: growth(end, NicCounters, delta.before.counters.get(name), delta.after.counters[name]) for name in names
    }
    evidence = [saw(delta.source, name, f"+{size}") for name, size in grown.items()] + [measured(trial)]
    share = sum(grown.values()) / _packets(view, trial, end, evidence)
    if share < _EXCEEDED or is_full(view, trial):
        return clear(CAUSE, "the instance stays within its allowances", evidence, end=end.end, subject=link)
    most = max(grown, key=lambda name: grown[name])
    return problem(
        CAUSE,
        f"the provider holds {link} of {end.target or end.end} back: {most} grew by {grown[most]:,}",
        evidence,
        end=end.end,
        subject=link,
        confidence=Confidence.HIGH,
        costs_bps=view.ceiling - min(view.ceiling, rate(trial)),
    )


def _packets(view: View, trial: Trial, end: EndView, evidence: list[Evidence]) -> int:
    """What the link sent and received during the trial. Raises Missing without packets."""
    delta = link_delta(view, trial, end)
    sent = growth(end, LinkCounters, delta.before.tx_packets, delta.after.tx_packets)
    received = growth(end, LinkCounters, delta.before.rx_packets, delta.after.rx_packets)
    if sent + received == 0:
        raise end.missing(LinkCounters, delta.after.subject)
    evidence.append(saw(delta.source, f"{delta.after.subject} packets", f"+{sent + received}"))
    return sent + received


_NAMES = ("*_allowance_exceeded",)  # of ena: no other driver has such a name
_MANY = 1000  # packets: a burst above the allowance now and then is every instance's


def glance(view: View) -> Finding | None:
    """The packets that the adapter counts as above an allowance."""
    found = grown(counters(view, NicCounters), _NAMES)
    most = max(found, key=lambda one: (one.twice, one.value), default=None)
    if most is None or (most.value < _MANY and not most.twice):
        return None
    words = f"the provider held {view.here.interface or 'the link'} back: {most.name} counts {most.value:,} packets"
    seen = [one.evidence for one in found]
    return suspect(view, CAUSE, f"{words}, {most.when}", seen, asks=again(view, "ethtool -S {link}"))


CHECK = Check(id=CAUSE, cause=CAUSE, diagnose=diagnose, per=Per.NIC, glance=glance)
