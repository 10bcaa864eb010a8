"""The receive interrupts of a link and the CPUs that take them."""

import re
from dataclasses import dataclass

from fullrate.records.facts.bus import DevicePath
from fullrate.records.facts.cpu import Interrupt
from fullrate.records.facts.queues import IrqAffinity, LinkIrqs
from fullrate.records.view import EndView

# Drivers name a vector after its queue: eth3-rx-0, eth0-TxRx-3, eth0-Tx-Rx-1, virtio5-input.0, mlx5_comp0@pci:...
_RECEIVES = re.compile(r"rx|input|comp\d", re.IGNORECASE)
# what else a NIC interrupts for: transmit queues, link changes, firmware
_OTHER = re.compile(
    r"(^|[-_.:@])(tx|output|config|control|async|misc|other|event|mgmnt|mbx|admin|aux)\d*([-_.:@]|$)", re.IGNORECASE
)
_FEW = 1_000  # interrupts; with fewer nothing can be said of where they go
_ONE_CPU = 0.99  # of a vector's interrupts: an affinity was briefly different in the past


@dataclass(frozen=True, slots=True, kw_only=True)
class Vector:
    """One receive interrupt: its number, its name and the CPUs that take it."""

    irq: str
    name: str
    cpus: tuple[int, ...]
    source: str


def receive_vectors(end: EndView, link: str) -> tuple[Vector, ...]:
    """The receive interrupts of a link, by number. Raises Missing when they cannot be told."""
    found = _of_link(end, link)
    named = [irq for irq in found if _RECEIVES.search(_name(irq))]
    receive = named or [irq for irq in found if not _OTHER.search(_name(irq))]
    if not receive:
        raise end.missing(LinkIrqs, link)
    return tuple(_vector(end, irq) for irq in receive)


def link_irqs(end: EndView, link: str) -> frozenset[str]:
    """The numbers of all interrupts of a link. Raises Missing."""
    return frozenset(irq.subject for irq in _of_link(end, link))


def _of_link(end: EndView, link: str) -> list[Interrupt]:
    """By the device's list; by the link's name in the table where the device has no such list."""
    table = {irq.subject: irq for irq in end.all(Interrupt)}
    if not table:
        raise end.missing(Interrupt)
    numbers = _numbers(end, link)
    word = re.compile(rf"(^|[^\w]){re.escape(link)}([^\w]|$)")
    found = [irq for number, irq in table.items() if (number in numbers if numbers else word.search(irq.action))]
    if not found:
        raise end.missing(LinkIrqs, link)
    return found


def _numbers(end: EndView, link: str) -> tuple[str, ...]:
    known, path = end.want(LinkIrqs, link), end.want(DevicePath, link)
    if known is None or known.own:
        return () if known is None else known.own
    return known.parent if path is not None and (path.driver or "").startswith("virtio") else ()


def _name(irq: Interrupt) -> str:
    return irq.action.rpartition(" ")[2]


def _vector(end: EndView, irq: Interrupt) -> Vector:
    affinity = end.want(IrqAffinity, irq.subject)
    if affinity is not None and affinity.cpus:
        return Vector(irq=irq.subject, name=_name(irq), cpus=affinity.cpus, source=end.source_of(affinity))
    return Vector(irq=irq.subject, name=_name(irq), cpus=_seen(end, irq), source=end.source_of(irq))


def _seen(end: EndView, irq: Interrupt) -> tuple[int, ...]:
    """The CPUs that took an interrupt so far. Raises Missing when it hardly came."""
    found = taken_by(irq)
    if not found:
        raise end.missing(IrqAffinity, irq.subject)
    return found


def taken_by(irq: Interrupt) -> tuple[int, ...]:
    """The CPUs that took an interrupt since boot; none when it hardly came."""
    total = sum(irq.counts)
    if total < _FEW:
        return ()
    shares = sorted(zip(irq.counts, irq.cpus, strict=False), reverse=True)
    if shares[0][0] >= _ONE_CPU * total:
        return (shares[0][1],)
    return tuple(sorted(cpu for number, cpu in shares if number))
