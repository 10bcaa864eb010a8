"""The receive queues of the NIC all interrupt one CPU, and that CPU is full.

/proc/irq/N/effective_affinity_list says which CPU an interrupt goes to; without it /proc/interrupts shows where it went
(Documentation/core-api/irq/irq-affinity.rst). Several queues are of no use when one CPU serves them all.
"""

import re
from collections import defaultdict
from collections.abc import Sequence

from fullrate.checks._bus import is_virtual
from fullrate.checks._common import clear, link_of, not_applicable, saw
from fullrate.checks._glance import again, suspect
from fullrate.checks._irqs import Vector, receive_vectors, taken_by
from fullrate.checks._queues import Claim, judge
from fullrate.records.facts.bus import DevicePath
from fullrate.records.facts.cpu import Interrupt
from fullrate.records.facts.queues import IrqAffinity
from fullrate.records.finding import Confidence, Finding, Judgement, Remedy
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
    return _list_of(fact.allowed)


def _list_of(cpus: Sequence[int]) -> str:
    return ",".join(map(str, cpus))


_FEW_CPUS = 2  # an interrupt that may go to more is bound to none
_SPREAD = 4  # interrupts on as many CPUs: no single one takes them all
# A queue's vector is named after its link: eth0-TxRx-0, ens192-rxtx-0 (vmxnet3), enp3s0-rx-1, eth0:rx-0 (stmmac),
# eth0-q0-rx (xen), mlx5_comp3@pci:0000:01:00.0, virtio0-input.1
_VECTOR = re.compile(
    r"(?P<of>\S*?)[-_.:](?:(?:Tx-?Rx|rx-?tx|rx|fp|comp|input)[-_.]?\d+|q\d+-rx)(?P<at>@\S+)?", re.IGNORECASE
)


def glance(view: View) -> Finding | None:
    """Several queues of one link whose interrupts, since boot, were all taken by one CPU; or that they are spread."""
    queues: dict[str, list[Interrupt]] = defaultdict(list)
    for irq in view.here.all(Interrupt):
        vector = _VECTOR.search(irq.action.rpartition(" ")[2])
        if vector and taken_by(irq):
            queues[f"{vector['of']}{vector['at'] or ''}"].append(irq)
    found = [_spread(view, link, irqs) for link, irqs in queues.items() if len(irqs) > 1]
    problem = next((one for one in found if one.verdict is Judgement.PROBLEM), None)
    return problem or next(iter(found), _allowed(view))


def _allowed(view: View) -> Finding | None:
    """That the settings spread the interrupts, where nothing shows which of them are a link's queues."""
    bound = [one for one in view.here.all(IrqAffinity) if 0 < len(one.cpus) <= _FEW_CPUS]
    used = {cpu for one in bound for cpu in one.cpus}
    if len(bound) < _SPREAD or len(used) < _SPREAD:
        return None
    seen = [saw(view.here.source_of(one), f"IRQ {one.subject}", f"CPU {_list_of(one.cpus)}") for one in bound]
    words = f"{len(bound)} interrupts are bound to {len(used)} CPUs"
    return clear(CAUSE, words, seen, confidence=Confidence.MEDIUM)


def _spread(view: View, link: str, irqs: Sequence[Interrupt]) -> Finding:
    taken = [taken_by(irq) for irq in irqs]
    used, source = {cpu for cpus in taken for cpu in cpus}, view.here.source_of(irqs[0])
    seen = [
        saw(source, f"{irq.action.rpartition(' ')[2]} since boot", f"{sum(irq.counts)}, CPU {','.join(map(str, cpus))}")
        for irq, cpus in zip(irqs, taken, strict=True)
    ]
    if len(used) > 1 or len(irqs[0].cpus) == 1:
        return clear(
            CAUSE, f"{len(irqs)} queues of {link} interrupt {len(used)} CPUs", seen, confidence=Confidence.MEDIUM
        )
    words = f"the interrupts of {len(irqs)} queues of {link} were all taken by CPU {min(used)}, since boot"
    asks = again(view, "cat /proc/interrupts", "mpstat -P ALL 1")
    return suspect(view, CAUSE, words, seen, subject=link, asks=asks)


CHECK = Check(id=CAUSE, cause=CAUSE, diagnose=diagnose, per=Per.NIC, alone=True, glance=glance)
