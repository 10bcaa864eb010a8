"""The slower side drops because it cannot tell its partner to wait: pause frames are off.

A NIC behind a bus or link slower than the sender's has a FIFO of some kilobytes; with pause frames (IEEE 802.3, annex
31B) it asks the port before it to hold, without them it drops each burst. Accused only where the receiver is the slower
side, its NIC counts drops, and its CPUs have time: a host that cannot keep up gains nothing by it.
"""

from fullrate.checks._common import clear, growth, is_full, link_delta, link_of, measured, not_applicable, problem, saw
from fullrate.checks._cpu import SATURATED, busiest_cpu
from fullrate.checks._loss import NOTABLE
from fullrate.checks._phy import Count, counted, lacks, loss_cost, on_wires, share_of_received
from fullrate.records.facts.ethtool import DriverInfo, LinkMode
from fullrate.records.facts.link import LinkCounters
from fullrate.records.facts.phy import PauseSettings
from fullrate.records.finding import Confidence, Evidence, Finding, Remedy
from fullrate.records.leaf import Check
from fullrate.records.trial import Trial
from fullrate.records.view import EndView, View

CAUSE = "flow-control-off"
_USB = "usb-"  # how the bus of a USB adapter begins in `ethtool -i`


def diagnose(view: View) -> Finding:
    """Whether the receiver drops for want of pause frames."""
    return on_wires(view, CAUSE, view.receiver, lambda end: _wire(view, end))


def _wire(view: View, end: EndView) -> Finding:
    link = link_of(end)
    if lacks(end, PauseSettings):
        return not_applicable(CAUSE, f"{link} knows no pause frames", end=end.end, subject=link)
    settings = end.need(PauseSettings, link)
    evidence = [saw(end.source_of(settings), "TX", "on" if settings.sends else "off")]
    if settings.sends:
        return clear(CAUSE, "the receiver may ask its partner to wait", evidence, end=end.end, subject=link)
    if not _slower(view, end):
        return clear(CAUSE, "the receiver is not the slower side", evidence, end=end.end, subject=link)
    return _dropping(view, view.trial(), end, settings, evidence)


def _slower(view: View, end: EndView) -> bool:
    """Whether the sender's link, or the receiver's own before its bus, is faster than the receiver can take it."""
    bus = end.need(DriverInfo, link_of(end)).bus_info or ""
    own, sending = (one.need(LinkMode, link_of(one)).speed for one in (end, view.sender))
    return bus.startswith(_USB) or (own is not None and sending is not None and own < sending)


def _dropping(view: View, trial: Trial, end: EndView, settings: PauseSettings, evidence: list[Evidence]) -> Finding:
    drops = _drops(view, trial, end)
    ratio = share_of_received(view, trial, end, drops.grown)
    load = busiest_cpu(view, trial, end)
    evidence += [drops.evidence, saw(load.source, f"CPU {load.cpu} busy", f"{load.busy:.0%}"), measured(trial)]
    if ratio < NOTABLE or load.busy >= SATURATED or is_full(view, trial):
        why = "nothing is dropped for want of pause frames"
        return clear(CAUSE, why, evidence, end=end.end, subject=settings.subject)
    return problem(
        CAUSE,
        f"{settings.subject} is the slower side, sends no pause frames and drops {ratio:.2%}",
        evidence,
        end=end.end,
        subject=settings.subject,
        confidence=Confidence.MEDIUM,
        costs_bps=loss_cost(view, trial, ratio),
        remedies=(_remedy(end, settings),),
    )


def _drops(view: View, trial: Trial, end: EndView) -> Count:
    """What the NIC or the kernel dropped on receipt, whichever counted more."""
    own = counted(view.window(trial, end), view.recipe(end), lambda recipe: recipe.ring_full)
    delta = link_delta(view, trial, end)
    grown = growth(end, LinkCounters, delta.before.rx_dropped, delta.after.rx_dropped)
    kernel = Count(grown=grown, seconds=delta.seconds, evidence=saw(delta.source, "rx_dropped", f"+{grown}"))
    return own if own is not None and own.grown > grown else kernel


def _remedy(end: EndView, settings: PauseSettings) -> Remedy:
    link = settings.subject
    rx, tx = ("on" if state else "off" for state in (settings.rx, settings.tx))
    return Remedy(
        knob="link.pause",
        subject=link,
        value="rx on tx on",
        end=end.end,
        commands=(f"ethtool -A {link} rx on tx on",),
        undo=(f"ethtool -A {link} rx {rx} tx {tx}",),
        note="renegotiates: the link drops for seconds; the port behind it must allow flow control too",
    )


CHECK = Check(id=CAUSE, cause=CAUSE, diagnose=diagnose)
