"""Somebody moves the NIC's interrupts to other CPUs while traffic runs, again and again.

Read before and after every trial: /proc/irq/N/effective_affinity_list. irqbalance may move an interrupt once when load
comes, which is its task (irqbalance(1)); a link whose interrupts move in trial after trial never settles. What a move
costs is not known, so none is claimed.
"""

from collections import Counter

from fullrate.checks._bus import is_virtual
from fullrate.checks._common import clear, is_full, link_of, not_applicable, problem, saw
from fullrate.checks._irqs import link_irqs
from fullrate.records.facts.queues import IrqAffinity
from fullrate.records.finding import Confidence, Evidence, Finding, Remedy
from fullrate.records.leaf import Check, Per
from fullrate.records.view import EndView, View, WindowView

CAUSE = "irqbalance-fights"
_OFTEN = 2  # trials in which the same interrupt moved


def diagnose(view: View) -> Finding:
    """Whether the receiver's interrupts keep being moved."""
    end, link = view.receiver, link_of(view.receiver)
    if is_virtual(end, link):
        return not_applicable(CAUSE, f"{link} is no physical link", end=end.end, subject=link)
    trial = view.trial()
    irqs = link_irqs(end, link)
    view.window(trial, end).need(IrqAffinity, min(irqs))
    windows = [window for window in view.stretches(end) if window.trial.spec.sends]
    moves = [move for window in windows for move in _moves(window, irqs)]
    times = max(Counter(irq for irq, _ in moves).values(), default=0)
    evidence = [seen for _, seen in moves] or _still(end, irqs)
    more = {"end": end.end, "subject": link}
    if times < _OFTEN or is_full(view, trial):
        words = "no interrupt moved" if not moves else "an interrupt moved, not again and again, or at no cost"
        return clear(CAUSE, words, evidence, **more)
    return problem(
        CAUSE,
        f"interrupts of {link} moved to other CPUs in {times} trials",
        evidence,
        confidence=Confidence.MEDIUM,
        remedies=(_remedy(end, link),),
        **more,
    )


def _moves(window: WindowView, irqs: frozenset[str]) -> list[tuple[str, Evidence]]:
    return [
        (
            delta.after.subject,
            saw(delta.source, f"IRQ {delta.after.subject}, CPU", f"{_words(delta.before)} then {_words(delta.after)}"),
        )
        for delta in window.deltas(IrqAffinity)
        if delta.after.subject in irqs and delta.before.cpus != delta.after.cpus
    ]


def _still(end: EndView, irqs: frozenset[str]) -> list[Evidence]:
    """Where the interrupts were all the time."""
    return [
        saw(end.source_of(irq), f"IRQ {irq.subject}, CPU", _words(irq))
        for irq in end.all(IrqAffinity)
        if irq.subject in irqs
    ]


def _words(irq: IrqAffinity) -> str:
    return ",".join(map(str, irq.cpus))


def _remedy(end: EndView, link: str) -> Remedy:
    return Remedy(
        knob="irqbalance",
        subject=link,
        value="leave the interrupts of this link alone",
        end=end.end,
        commands=(),
        undo=(),
        note="ban them (--banirq=N in irqbalance's options) rather than stop the service: an update may start it again",
    )


CHECK = Check(id=CAUSE, cause=CAUSE, diagnose=diagnose, per=Per.NIC)
