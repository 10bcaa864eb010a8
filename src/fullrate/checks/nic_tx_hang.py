"""The NIC's transmit unit hangs; the driver notices and resets the adapter.

Intel's drivers watch their own transmit ring and log `Detected Hardware Unit Hang` or `Detected Tx Unit Hang` (e1000e
e1000_print_hw_hang, igb and igc clean_tx_irq), then `Reset adapter`: seconds without traffic. Queues that stand still
without that line are the kernel's watchdog's, and nic-driver-bug's.
"""

from fullrate.checks._common import clear, link_of, problem, saw
from fullrate.checks._glance import suspect
from fullrate.checks._link_events import line, logged, outage_cost
from fullrate.checks._log_glance import bursts, lines, name_of, told
from fullrate.checks._phy import counted, on_wires
from fullrate.records.facts.ethtool import Features
from fullrate.records.facts.kernel_log import KernelLog, LogEvent
from fullrate.records.finding import Confidence, Finding, Remedy
from fullrate.records.leaf import Check, Per
from fullrate.records.units import BitsPerSecond
from fullrate.records.view import EndView, Missing, View

CAUSE = "nic-tx-hang"
_TSO, _GSO = "tcp-segmentation-offload", "generic-segmentation-offload"


def diagnose(view: View) -> Finding:
    """Whether the transmit unit of the link hung in the last hour."""
    return on_wires(view, CAUSE, view.here, lambda end: _wire(view, end))


def _wire(view: View, end: EndView) -> Finding:
    link = link_of(end)
    hangs, resets = logged(end, LogEvent.TRANSMIT_HANG), logged(end, LogEvent.ADAPTER_RESET)
    if not hangs:
        log = end.need(KernelLog)
        evidence = [saw(end.source_of(log), "lines of the kernel's log", log.lines)]
        return clear(CAUSE, "no hang in the last hour of the kernel's log", evidence, end=end.end, subject=link)
    evidence = [line(end, hangs[-1]), *(line(end, reset) for reset in resets[-1:])]
    return problem(
        CAUSE,
        f"the transmit unit of {link} hung ({len(hangs)} in the last hour)",
        evidence,
        end=end.end,
        subject=link,
        confidence=Confidence.HIGH if resets or len(hangs) > 1 else Confidence.MEDIUM,
        costs_bps=_costs(view, end),
        remedies=_remedies(end),
    )


def _costs(view: View, end: EndView) -> BitsPerSecond:
    """The standstill of trials in which the driver counted a time-out."""
    costs = 0.0
    for window in view.stretches(end):
        try:
            found = counted(window, view.recipe(end), lambda recipe: recipe.transmit_stuck)
        except Missing:
            continue
        if found is not None and found.grown:
            costs = max(costs, outage_cost(view, window.trial))
    return costs


def _remedies(end: EndView) -> tuple[Remedy, ...]:
    """The work-around most reports end with: no segmentation by the NIC; only what is on is switched off."""
    features = end.want(Features, link_of(end))
    words = [word for name, word in ((_TSO, "tso"), (_GSO, "gso")) if features is not None and features.on(name)]
    if not words:
        return ()
    off, on = (" ".join(f"{word} {state}" for word in words) for state in ("off", "on"))
    return (
        Remedy(
            knob="nic.feature",
            subject=link_of(end),
            value=off,
            end=end.end,
            commands=(f"ethtool -K {link_of(end)} {off}",),
            undo=(f"ethtool -K {link_of(end)} {on}",),
            note="a work-around that costs CPU; a newer kernel or firmware, or ASPM off, may be the cure",
        ),
    )


def glance(view: View) -> Finding | None:
    """The hangs that the driver logged."""
    hangs, resets = told(view, LogEvent.TRANSMIT_HANG), told(view, LogEvent.ADAPTER_RESET)
    if not hangs:
        return None
    name = name_of(view, hangs[-1])
    sure = Confidence.HIGH if len(bursts(hangs)) > 1 else Confidence.MEDIUM
    words = f"the transmit unit of {name} hung; the kernel's log says so {len(hangs)} times"
    seen = (*lines(view, hangs), *(lines(view, resets)[-1:] if resets else ()))
    return suspect(view, CAUSE, words, seen, subject=name, confidence=sure, remedies=_remedies(view.here))


CHECK = Check(id=CAUSE, cause=CAUSE, diagnose=diagnose, per=Per.LINK, glance=glance)
