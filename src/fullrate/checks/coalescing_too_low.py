"""The NIC interrupts for nearly every packet, and the CPU that takes the interrupts is full.

With rx-usecs 0 and no adaptive moderation nothing delays an interrupt (Documentation/networking/ethtool-netlink.rst,
COALESCE_GET). A high rate of interrupts alone is no fault: under load NAPI keeps them masked
(Documentation/networking/napi.rst), so what counts is that they still come, packet by packet.
"""

from dataclasses import dataclass

from fullrate.checks._bus import is_virtual, offers_no
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
)
from fullrate.checks._irqs import link_irqs
from fullrate.checks._receive import receive_load
from fullrate.records.facts.cpu import Interrupt
from fullrate.records.facts.ethtool import Coalescing
from fullrate.records.facts.link import LinkCounters
from fullrate.records.finding import Confidence, Evidence, Finding, Remedy
from fullrate.records.leaf import Check, Per
from fullrate.records.trial import Trial
from fullrate.records.units import Seconds
from fullrate.records.view import EndView, View

CAUSE = "coalescing-too-low"
_EACH = 0.5  # interrupts a packet: fewer, and NAPI takes several packets at a time
# One interrupt: entry, handler, NAPI schedule, softirq, exit. Rule of thumb, not measured here.
_PRICE: Seconds = 2e-6
_MOST = 0.5  # of a CPU: never blame interrupts for more
_MODERATE = 50  # microseconds: 20,000 interrupts a second at most


@dataclass(frozen=True, slots=True, kw_only=True)
class _Came:
    """The interrupts of one link during a trial."""

    each: float  # packet received
    a_second: float
    source: str


def diagnose(view: View) -> Finding:
    """Whether an interrupt per packet fills the receiver's CPU in this direction."""
    end, link = view.receiver, link_of(view.receiver)
    more = {"end": end.end, "subject": link}
    if is_virtual(end, link):
        return not_applicable(CAUSE, f"{link} is no physical link", **more)
    if offers_no(end, Coalescing, link):
        return not_applicable(CAUSE, f"the driver of {link} cannot delay interrupts", **more)
    settings = end.need(Coalescing, link)
    usecs = settings.parameters.get("rx-usecs")
    evidence = [saw(end.source_of(settings), "rx-usecs", "not offered" if usecs is None else usecs)]
    if usecs != 0 or settings.adaptive_rx:
        return clear(CAUSE, f"interrupts of {link} are moderated, or cannot be", evidence, **more)
    return _judge(view, view.trial(), end, evidence)


def _judge(view: View, trial: Trial, end: EndView, evidence: list[Evidence]) -> Finding:
    link = link_of(end)
    more = {"end": end.end, "subject": link}
    load, came = receive_load(view, trial), _came(view, trial, end, link)
    seen = saw(came.source, "interrupts a packet, a second", f"{came.each:.2f}, {came.a_second:.0f}")
    evidence += [load.evidence, seen, measured(trial)]
    if not load.saturated or is_full(view, trial) or came.each < _EACH:
        return clear(CAUSE, f"interrupts of {link} are not moderated, at no cost", evidence, **more)
    saved = rate(trial) / (1 - min(_MOST, came.a_second * _PRICE))
    return problem(
        CAUSE,
        f"{link} interrupts {came.a_second:,.0f} times a second, for nearly every packet; CPU {load.cpu} is full",
        evidence,
        confidence=Confidence.MEDIUM,
        costs_bps=max(0.0, min(view.ceiling, saved) - rate(trial)),
        remedies=(_remedy(end, link),),
        **more,
    )


def _came(view: View, trial: Trial, end: EndView, link: str) -> _Came:
    irqs = link_irqs(end, link)
    deltas = [delta for delta in view.window(trial, end).deltas(Interrupt) if delta.after.subject in irqs]
    packets = link_delta(view, trial, end)
    received = growth(end, LinkCounters, packets.before.rx_packets, packets.after.rx_packets)
    if not deltas or not received or deltas[0].seconds <= 0:
        raise end.missing(Interrupt)
    number = sum(growth(end, Interrupt, sum(delta.before.counts), sum(delta.after.counts)) for delta in deltas)
    return _Came(each=number / received, a_second=number / deltas[0].seconds, source=deltas[0].source)


def _remedy(end: EndView, link: str) -> Remedy:
    return Remedy(
        knob="nic.coalesce.rx_usecs",
        subject=link,
        value=str(_MODERATE),
        end=end.end,
        commands=(f"ethtool -C {link} rx-usecs {_MODERATE}",),
        undo=(f"ethtool -C {link} rx-usecs 0",),
        note="adds up to that delay to every answer; some drivers reset their queues",
    )


CHECK = Check(id=CAUSE, cause=CAUSE, diagnose=diagnose, per=Per.NIC)
