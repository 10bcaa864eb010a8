"""A segmentation or checksum offload is off and the per-packet work saturates a CPU.

TSO needs scatter-gather and transmit checksums, so switching one of those off takes TSO and GSO with it
(Documentation/networking/segmentation-offloads.rst). A receiver without GRO handles every frame by itself.
An offload that is off and costs nothing is no problem: many virtual links have GRO off by default.
"""

from fullrate.checks._common import (
    SATURATED,
    busiest_cpu,
    clear,
    is_full,
    link_delta,
    measured,
    mtu,
    problem,
    rate,
    saw,
)
from fullrate.records.facts.ethtool import Features
from fullrate.records.facts.link import Link
from fullrate.records.finding import Confidence, Evidence, Finding, Remedy
from fullrate.records.goodput import ETHERNET_HEADER
from fullrate.records.leaf import Check
from fullrate.records.trial import Trial
from fullrate.records.view import EndView, View

CAUSE = "offload-off"
_SENDING = {
    "tx-checksumming": "tx",
    "scatter-gather": "sg",
    "tcp-segmentation-offload": "tso",
    "generic-segmentation-offload": "gso",
}
_RECEIVING = {"generic-receive-offload": "gro"}
_FULL_FRAME_SHARE = 1.5  # mean bytes a packet over the MTU: above it, packets still travel merged


def diagnose(view: View) -> Finding:
    """Whether a missing offload makes a CPU the limit of this direction."""
    trial = view.trial()
    sides = ((view.sender, _SENDING), (view.receiver, _RECEIVING))
    findings = [_side(view, trial, end, names) for end, names in sides]
    return max(findings, key=lambda finding: (finding.verdict == "problem", finding.costs_bps))


def _side(view: View, trial: Trial, end: EndView, names: dict[str, str]) -> Finding:
    features = end.need(Features, end.interface)
    off = [name for name in names if features.on(name) is False and not _fixed(features, name)]
    evidence = [saw(f"run ethtool -k {end.interface}", name, "off") for name in off]
    if not off:
        return clear(CAUSE, "the offloads that matter are on", evidence, end=end.end)
    load = busiest_cpu(view, trial, end)
    evidence += [saw(load.source, f"CPU {load.cpu} busy", f"{load.busy:.0%}"), measured(trial)]
    saturated = load.busy >= SATURATED and not is_full(view, trial) and _unmerged(view, trial, end, evidence)
    if not saturated:
        return _harmless(end, off, evidence, names)
    holds = max(rate(trial), min(view.ceiling, rate(trial) / load.busy))
    return _problem(end, off, evidence, names, costs=view.ceiling - holds)


def _fixed(features: Features, name: str) -> bool:
    return any(feature.name == name and feature.fixed for feature in features.features)


def _unmerged(view: View, trial: Trial, end: EndView, evidence: list[Evidence]) -> bool:
    """Whether packets travelled one by one, as far as the link's counters can tell."""
    delta = link_delta(view, trial, end)
    sending = end.end is view.sender.end
    after, before = delta.after, delta.before
    packets = after.tx_packets - before.tx_packets if sending else after.rx_packets - before.rx_packets
    size = after.tx_bytes - before.tx_bytes if sending else after.rx_bytes - before.rx_bytes
    mean = size / packets if packets else 0.0
    evidence.append(saw(delta.source, f"{'tx' if sending else 'rx'} bytes a packet", round(mean)))
    return mean <= _FULL_FRAME_SHARE * (mtu(view) + ETHERNET_HEADER)


def _harmless(end: EndView, off: list[str], evidence: list[Evidence], names: dict[str, str]) -> Finding:
    """Off and no CPU is full: a setting to know of where it is not the kind's default, else nothing."""
    virtual = end.need(Link, end.interface).kind is not None
    if virtual:
        return clear(CAUSE, f"{', '.join(off)} off on {end.interface}, at no cost", evidence, end=end.end)
    return _problem(end, off, evidence, names, costs=0.0)


def _problem(end: EndView, off: list[str], evidence: list[Evidence], names: dict[str, str], *, costs: float) -> Finding:
    link = end.interface or ""
    words = [names[name] for name in off]
    return problem(
        CAUSE,
        f"{', '.join(off)} off on {end.interface}"
        + ("; the per-packet work fills a CPU" if costs else ", at no cost here"),
        evidence,
        end=end.end,
        subject=link,
        confidence=Confidence.HIGH if costs else Confidence.MEDIUM,
        costs_bps=costs,
        remedies=(
            Remedy(
                knob="nic.feature",
                subject=link,
                value=" ".join(f"{word} on" for word in words),
                end=end.end,
                commands=(f"ethtool -K {link} " + " ".join(f"{word} on" for word in words),),
                undo=(f"ethtool -K {link} " + " ".join(f"{word} off" for word in words),),
                note="read back with ethtool -k: a driver may change half and still report success",
            ),
        ),
    )


CHECK = Check(id=CAUSE, cause=CAUSE, diagnose=diagnose)
