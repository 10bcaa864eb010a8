"""Where the two hosts discarded packets of the payload during a trial."""

from dataclasses import dataclass

from fullrate.checks._common import growth, link_delta, saw
from fullrate.checks._filters import rule_drops
from fullrate.checks._policers import policed
from fullrate.records.facts.cpu import Softnet
from fullrate.records.facts.link import LinkCounters
from fullrate.records.facts.qdisc import Qdisc
from fullrate.records.finding import Evidence
from fullrate.records.trial import Trial
from fullrate.records.view import EndView, View


@dataclass(frozen=True, slots=True, kw_only=True)
class Drop:
    """Packets one place of one host discarded during a trial, counted in segments of the wire's size."""

    place: str
    end: EndView
    segments: float
    evidence: Evidence


def local_drops(view: View, trial: Trial) -> tuple[Drop, ...]:
    """Every counted discard of payload on the two hosts, most first. Raises Missing when a counter was not seen.

    Only what the payload passes: the sender's way out, the receiver's way in. What discards acknowledgements does not
    make the sender send again.
    """
    found = [*_filter(view, trial, view.sender), _qdisc(view, trial), _link_out(view, trial)]
    found += [_link_in(view, trial), *_policer(view, trial), _backlog(view, trial)]
    found += _filter(view, trial, view.receiver)
    return tuple(sorted((drop for drop in found if drop.segments), key=lambda drop: -drop.segments))


def _filter(view: View, trial: Trial, end: EndView) -> list[Drop]:
    return [
        Drop(place="filter", end=end, segments=drops.segments, evidence=drops.evidence)
        for drops in rule_drops(view, trial, end)
    ]


def _qdisc(view: View, trial: Trial) -> Drop:
    """The worst one: a classful qdisc counts its children's drops too (net/sched/sch_htb.c, htb_enqueue)."""
    end = view.sender
    deltas = [one for one in view.window(trial, end).deltas(Qdisc) if one.after.kind != "ingress"]
    if not deltas:
        raise end.missing(Qdisc)
    dropped, worst = max(
        ((growth(end, Qdisc, delta.before.dropped, delta.after.dropped), delta) for delta in deltas),
        key=lambda pair: pair[0],
    )
    return Drop(
        place="qdisc",
        end=end,
        segments=dropped,
        evidence=saw(worst.source, f"{worst.after.kind} {worst.after.handle} dropped", f"+{dropped}"),
    )


def _policer(view: View, trial: Trial) -> list[Drop]:
    """What tc's filters on the receiver's link discard; those of the sender its qdiscs hold."""
    found = policed(view, trial, view.receiver)
    if found is None:
        return []
    return [Drop(place="tc filter", end=found.end, segments=found.segments, evidence=found.evidence)]


def _link_out(view: View, trial: Trial) -> Drop:
    delta = link_delta(view, trial, view.sender)
    dropped = growth(view.sender, LinkCounters, delta.before.tx_dropped, delta.after.tx_dropped)
    evidence = saw(delta.source, f"{delta.after.subject} tx_dropped", f"+{dropped}")
    return Drop(place="link", end=view.sender, segments=dropped, evidence=evidence)


def _link_in(view: View, trial: Trial) -> Drop:
    delta = link_delta(view, trial, view.receiver)
    dropped = growth(view.receiver, LinkCounters, delta.before.rx_dropped, delta.after.rx_dropped)
    evidence = saw(delta.source, f"{delta.after.subject} rx_dropped", f"+{dropped}")
    return Drop(place="link", end=view.receiver, segments=dropped, evidence=evidence)


def _backlog(view: View, trial: Trial) -> Drop:
    end = view.receiver
    deltas = view.window(trial, end).deltas(Softnet)
    if not deltas:
        raise end.missing(Softnet)
    dropped = sum(growth(end, Softnet, delta.before.dropped, delta.after.dropped) for delta in deltas)
    evidence = saw(deltas[0].source, "dropped, all CPUs", f"+{dropped}")
    return Drop(place="backlog", end=end, segments=dropped, evidence=evidence)
