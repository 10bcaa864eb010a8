"""What tc's filters discard at a link's ingress and egress hooks, where policers stand, over a trial.

The kernel counts it as `dropped` of the link's ingress or clsact qdisc, which queues nothing itself (net/core/dev.c,
sch_handle_ingress and sch_handle_egress; measured with a filter that drops half of the packets). A clsact counts both
ways together.
"""

from dataclasses import dataclass

from fullrate.checks._common import growth, link_of, saw
from fullrate.checks._packets import packets
from fullrate.records.facts.qdisc import Qdisc
from fullrate.records.finding import Evidence
from fullrate.records.trial import Trial
from fullrate.records.view import EndView, View

HOOKS = {"ingress", "clsact"}
_OUTGOING = {"clsact"}  # the payload leaves its sender by no other


@dataclass(frozen=True, slots=True, kw_only=True)
class Policed:
    """What the filters of one end's link discarded, in segments of the wire's size: a merged packet holds several."""

    end: EndView
    qdisc: Qdisc
    segments: float
    evidence: Evidence


def hooks(end: EndView) -> tuple[Qdisc, ...]:
    """Where filters stand on an end's link."""
    link = link_of(end)
    return tuple(one for one in end.all(Qdisc) if one.kind in HOOKS and one.subject == link)


def policed(view: View, trial: Trial, end: EndView) -> Policed | None:
    """What tc's filters on an end's link discarded; None where none stand in the payload's way. Raises Missing."""
    kinds = _OUTGOING if end.end is view.sender.end else HOOKS
    standing = [one.identity for one in hooks(end) if one.kind in kinds]
    if not standing:
        return None
    hook = next((one for one in view.window(trial, end).deltas(Qdisc) if one.after.identity in standing), None)
    if hook is None:
        raise end.missing(Qdisc, link_of(end))
    dropped = growth(end, Qdisc, hook.before.dropped, hook.after.dropped)
    seen = packets(view, trial, end)
    return Policed(
        end=end,
        qdisc=hook.after,
        segments=dropped * max(1.0, seen.size / seen.largest),
        evidence=saw(hook.source, f"{hook.after.kind} {hook.after.handle} dropped", f"+{dropped}"),
    )
