"""A queueing discipline (tbf, htb, hfsc, cake) on the sending link lets less pass than the link could carry.

So may one that the receiver leads its packets through, on an intermediate functional block (tc-mirred(8), ifb).

Its rate counts a frame with its Ethernet header but without preamble, FCS and gap, so its goodput is
rate x payload / (MTU + 14). It is the limit when the measured rate sits on that plateau while `overlimits` grows.
"""

from collections.abc import Sequence
from functools import partial

from fullrate.checks._common import (
    clear,
    growth,
    link_of,
    measured,
    mtu,
    not_applicable,
    problem,
    rate,
    saw,
    version,
    worst,
)
from fullrate.checks._modes import gigabits
from fullrate.checks._qdiscs import stack
from fullrate.checks._shaper_glance import glance, untested
from fullrate.checks._unshape import Shaper, limit_of, remedy
from fullrate.records.facts.link import INTERMEDIATE, Link
from fullrate.records.facts.qdisc import Qdisc, QdiscClass
from fullrate.records.finding import Confidence, Evidence, Finding
from fullrate.records.goodput import FULL_SHARE, qdisc_goodput
from fullrate.records.leaf import Check
from fullrate.records.snapshot import Delta
from fullrate.records.trial import Trial
from fullrate.records.units import BITS_PER_BYTE, BitsPerSecond
from fullrate.records.view import EndView, View, WindowView

ShaperDelta = Delta[Qdisc] | Delta[QdiscClass]

CAUSE = "tc-shaper"
# A shaped TCP flow reaches 93 to 100 % of the shaper's goodput (measured, tbf and htb, 20 to 500 Mbit/s).
_PLATEAU = 0.07
_CARRIES = 0.5  # of the test's bytes: a class that carries less does not shape the test
_INGRESS = {"ingress", "clsact"}
_CLASSFUL = {"htb", "hfsc"}  # their rates are in their classes


def diagnose(view: View) -> Finding:
    """Whether a shaper of the sender's way out or of the receiver's way in caps this direction."""
    if (found := untested(view)) is not None:
        return found
    trial = view.trial()
    sides = [partial(_way_out, view, trial), *([partial(_way_in, view, trial)] if view.receiver.seen else [])]
    return worst(*sides)


def _way_out(view: View, trial: Trial) -> Finding:
    return _side(view, trial, view.sender, stack(view.sender))


def _way_in(view: View, trial: Trial) -> Finding:
    end, link = view.receiver, link_of(view.receiver)
    end.need(Qdisc, link)
    end.need(Link, link)
    if not any(qdisc.subject == link and qdisc.kind in _INGRESS for qdisc in end.all(Qdisc)):
        return not_applicable(CAUSE, f"nothing can shape what {link} receives", end=end.end, subject=link)
    return _side(view, trial, end, [one.subject for one in end.all(Link) if one.kind == INTERMEDIATE])


def _side(view: View, trial: Trial, end: EndView, links: Sequence[str]) -> Finding:
    link, window = link_of(end), view.window(trial, end)
    for name in links:
        end.need(Qdisc, name)
    found = _shapers(end, window, links)
    if all(isinstance(one, Qdisc) and one.kind == "noqueue" for one in found):
        return not_applicable(CAUSE, f"{link} has no queue that could shape", end=end.end, subject=link)
    _all_classes_seen(end, found)
    shaping = [_delta(window, one) for one in found if limit_of(one) is not None]
    carrying = [delta for delta in shaping if _carries(end, delta, trial)]
    if not carrying:
        source = end.source_of(end.need(Qdisc, link))
        kinds = saw(source, "qdiscs", ", ".join(sorted({one.kind for one in found})))
        return clear(CAUSE, f"no shaper of {link} carries the test", [kinds], end=end.end, subject=link)
    lowest = min(carrying, key=lambda delta: limit_of(delta.after) or 0.0)
    return _judge(view, trial, end, lowest, found)


def _shapers(end: EndView, window: WindowView, links: Sequence[str]) -> list[Shaper]:
    """Every qdisc and class of these links, before the trial and in it."""
    seen: list[Shaper] = [*end.all(Qdisc), *window.known(Qdisc), *end.all(QdiscClass), *window.known(QdiscClass)]
    return list({one.identity: one for one in seen if one.subject in links}.values())


def _all_classes_seen(end: EndView, found: list[Shaper]) -> None:
    """Raises Missing when the classes of a classful qdisc, where its rates are, were not read."""
    classes = [one for one in found if isinstance(one, QdiscClass)]
    for one in found:
        if isinstance(one, QdiscClass) or one.kind not in _CLASSFUL:
            continue
        if not any(each.subject == one.subject and each.classid.startswith(one.handle) for each in classes):
            raise end.missing(QdiscClass, one.subject)


def _delta(window: WindowView, shaper: Shaper) -> ShaperDelta:
    deltas: list[ShaperDelta] = [*window.deltas(Qdisc), *window.deltas(QdiscClass)]
    found = next((delta for delta in deltas if delta.after.identity == shaper.identity), None)
    if found is None:
        raise window.end.missing(type(shaper), shaper.subject)
    return found


def _carries(end: EndView, delta: ShaperDelta, trial: Trial) -> bool:
    through = growth(end, type(delta.after), delta.before.sent_bytes, delta.after.sent_bytes) * BITS_PER_BYTE
    carried = sum(sample.throughput * sample.seconds for sample in trial.series)
    return through > 0 and through >= _CARRIES * carried


def _judge(view: View, trial: Trial, end: EndView, delta: ShaperDelta, found: list[Shaper]) -> Finding:
    shaper = delta.after
    limit = limit_of(shaper) or 0.0
    lets = qdisc_goodput(limit, mtu(view), version=version(view), protocol=trial.spec.protocol)
    overlimits = growth(end, type(shaper), delta.before.overlimits, shaper.overlimits)
    evidence = [*_evidence(delta, limit, lets, overlimits), measured(trial)]
    if lets >= FULL_SHARE * view.ceiling:
        return clear(CAUSE, "the shaper lets the link's whole rate pass", evidence, end=end.end, subject=shaper.subject)
    if rate(trial) > (1 + _PLATEAU) * lets:
        return clear(CAUSE, "more passes than the shaper allows", evidence, end=end.end, subject=shaper.subject)
    on_plateau = rate(trial) >= (1 - _PLATEAU) * lets and overlimits > 0
    return problem(
        CAUSE,
        f"{shaper.kind} on {shaper.subject} of {end.target or end.end} lets {gigabits(limit)} pass",
        evidence,
        end=end.end,
        subject=shaper.subject,
        confidence=Confidence.HIGH if on_plateau else Confidence.MEDIUM,
        costs_bps=view.ceiling - lets,
        remedies=(remedy(shaper, found, end=end.end, speed=view.speed or view.ceiling),),
    )


def _evidence(delta: ShaperDelta, limit: BitsPerSecond, lets: BitsPerSecond, overlimits: int) -> list[Evidence]:
    return [
        saw(delta.source, f"{delta.after.kind} rate_bps", round(limit)),
        saw(delta.source, f"{delta.after.kind} goodput_bps", round(lets)),
        saw(delta.source, f"{delta.after.kind} overlimits", f"+{overlimits}"),
    ]


CHECK = Check(id=CAUSE, cause=CAUSE, diagnose=diagnose, glance=glance)
