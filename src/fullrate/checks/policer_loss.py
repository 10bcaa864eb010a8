"""A tc filter on an end's own link, as a policer is, discards packets of the test.

A policer drops what exceeds its rate and queues nothing (tc-police(8)): TCP backs off at each loss, UDP is cut to the
rate. The link's ingress or clsact qdisc counts what its filters discard, whatever they go by: `tc -s filter show` tells
which one it was. A policer further on leaves no trace on the hosts: its losses are the path's.
"""

from fullrate.checks import _loss, _udp
from fullrate.checks._common import clear, is_full, link_of, measured, not_applicable, problem, without_tcp
from fullrate.checks._policers import Policed, hooks, policed
from fullrate.records.facts.qdisc import Qdisc
from fullrate.records.finding import Confidence, Evidence, Finding, Remedy
from fullrate.records.leaf import Check
from fullrate.records.trial import Trial
from fullrate.records.units import BitsPerSecond
from fullrate.records.view import EndView, View

CAUSE = "policer-loss"
_SHARE = 0.2  # of the loss, as netfilter-drop has it: below it the filter dropped something else


def diagnose(view: View) -> Finding:
    """Whether filters of a link discard what this direction carries."""
    ends = (view.sender, view.receiver)
    for end in ends:
        end.need(Qdisc, link_of(end))
    if not any(hooks(end) for end in ends):
        return not_applicable(CAUSE, "no filter of tc stands on either link")
    if without_tcp(view):
        return _of_udp(view, view.trial("udp"))
    trial = view.trial()
    found, worst = _loss.loss(view, trial), _worst(view, trial)
    evidence = [*_seen(worst), *found.evidence, measured(trial)]
    if worst is None or is_full(view, trial):
        return clear(CAUSE, "no filter of tc takes packets of the test", evidence)
    hidden = worst.segments / found.sent if worst.end.end is view.sender.end else 0.0
    if max(found.ratio, hidden) < _loss.NOTABLE or worst.segments < _SHARE * found.segments:
        return clear(CAUSE, "what tc's filters drop is not what the test misses", evidence)
    share = min(1.0, worst.segments / found.segments) if found.segments else 1.0
    return _problem(worst, evidence, _loss.cost(view, trial, found, max(found.ratio * share, hidden)))


def _of_udp(view: View, trial: Trial) -> Finding:
    found, worst = _udp.lost(view, trial), _worst(view, trial)
    evidence = [*_seen(worst), *found.evidence, measured(trial)]
    if worst is None or found.ratio < _udp.NOTABLE or worst.segments < _SHARE * found.datagrams:
        return clear(CAUSE, "what tc's filters drop is not what the test misses", evidence)
    return _problem(worst, evidence, _udp.cost(view, found, min(1.0, worst.segments / found.datagrams)))


def _worst(view: View, trial: Trial) -> Policed | None:
    found = [one for end in (view.sender, view.receiver) if (one := policed(view, trial, end)) is not None]
    return max((one for one in found if one.segments), key=lambda one: one.segments, default=None)


def _seen(worst: Policed | None) -> list[Evidence]:
    return [] if worst is None else [worst.evidence]


def _problem(worst: Policed, evidence: list[Evidence], costs: BitsPerSecond) -> Finding:
    link, end = worst.qdisc.subject, worst.end
    return problem(
        CAUSE,
        f"tc filters on {link} of {end.target or end.end} discard packets of the test, as a policer does",
        evidence,
        end=end.end,
        subject=link,
        confidence=Confidence.HIGH,
        costs_bps=costs,
        remedies=(_remedy(end, link),),
    )


def _remedy(end: EndView, link: str) -> Remedy:
    return Remedy(
        knob="link.tc_filter",
        subject=link,
        value="removed or wider",
        end=end.end,
        commands=(),
        undo=(),
        note=f"`tc -s filter show dev {link} ingress` (or egress) names the filter and what it dropped; somebody set"
        " it: ask why before changing it",
    )


CHECK = Check(id=CAUSE, cause=CAUSE, diagnose=diagnose)
