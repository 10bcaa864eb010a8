"""The receive queues of the NIC all interrupt one CPU, and that CPU is full.

/proc/irq/N/effective_affinity_list says which CPU an interrupt goes to; without it /proc/interrupts shows where it went
(Documentation/core-api/irq/irq-affinity.rst). Several queues are of no use when one CPU serves them all.
"""

from collections.abc import Sequence

from fullrate.checks._bus import is_virtual
from fullrate.checks._common import clear, link_of, not_applicable, saw
from fullrate.checks._irqs import Vector, receive_vectors
from fullrate.checks._queues import Claim, judge
from fullrate.records.facts.bus import DevicePath
from fullrate.records.facts.cpu import Interrupt
from fullrate.records.facts.queues import IrqAffinity
from fullrate.records.finding import Finding, Remedy
from fullrate.records.leaf import Check, Per
from fullrate.records.view import EndView, View

CAUSE = "irq-single-cpu"


def diagnose(view: View) -> Finding:
    """Whether one CPU takes the interrupts of all the receiver's queues."""
    end, link = view.receiver, link_of(view.receiver)
    if is_virtual(end, link):
        return not_applicable(CAUSE, f"{link} is no physical link", end=end.end, subject=link)
    vectors = receive_vectors(end, link)
    if len(vectors) == 1 or _cpus(end) == 1:
        return not_applicable(
            CAUSE, f"{link} has one receive interrupt, or the host one CPU", end=end.end, subject=link
        )
    used = {cpu for vector in vectors for cpu in vector.cpus}
    evidence = [saw(vector.source, f"IRQ {vector.irq} {vector.name}", f"CPU {_words(vector)}") for vector in vectors]
    if len(used) > 1:
        return clear(CAUSE, f"{len(vectors)} queues interrupt {len(used)} CPUs", evidence, end=end.end, subject=link)
    words = f"the {len(vectors)} receive queues of {link} all interrupt CPU {min(used)}"
    remedy = _remedy(end, link, vectors)
    return judge(view, Claim(cause=CAUSE, words=words, evidence=tuple(evidence), remedy=remedy, set_so=True))


def _cpus(end: EndView) -> int:
    """How many CPUs an interrupt could go to. Raises Missing."""
    return len(end.need(Interrupt).cpus)


def _words(vector: Vector) -> str:
    return ",".join(map(str, vector.cpus))


def _remedy(end: EndView, link: str, vectors: Sequence[Vector]) -> Remedy:
    """One CPU a queue, those near the NIC first; without an affinity found there is no exact undo, so no command."""
    path = end.want(DevicePath, link)
    cpus = (path.local_cpus if path else ()) or tuple(range(_cpus(end)))
    found = [end.want(IrqAffinity, vector.irq) for vector in vectors]
    known = [fact for fact in found if fact is not None]
    moves = [(fact, cpus[number % len(cpus)]) for number, fact in enumerate(known)]
    return Remedy(
        knob="irq.affinity",
        subject=link,
        value="one CPU a queue",
        end=end.end,
        commands=tuple(f"echo {cpu} > /proc/irq/{fact.subject}/smp_affinity_list" for fact, cpu in moves),
        undo=tuple(f"echo {_list(fact)} > /proc/irq/{fact.subject}/smp_affinity_list" for fact, _ in moves),
        note="irqbalance may move them again; an interrupt the kernel manages itself refuses the write",
    )


def _list(fact: IrqAffinity) -> str:
    return ",".join(map(str, fact.allowed))


CHECK = Check(id=CAUSE, cause=CAUSE, diagnose=diagnose, per=Per.NIC, alone=True)
