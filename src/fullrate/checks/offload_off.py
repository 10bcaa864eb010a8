"""A segmentation or checksum offload is off and the per-packet work saturates a CPU.

TSO needs transmit checksums and scatter-gather, GSO the latter, so switching one of those off takes them with it
(Documentation/networking/segmentation-offloads.rst). A receiver without GRO handles every frame by itself.
An offload that is off and costs nothing is no problem on a virtual link: many have GRO off by default.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial

from fullrate.checks._common import (
    UNTESTED,
    clear,
    growth,
    is_full,
    link_delta,
    link_of,
    measured,
    mtu,
    not_applicable,
    problem,
    rate,
    saw,
    without_tcp,
    worst,
)
from fullrate.checks._cpu import SATURATED, busiest_cpu
from fullrate.checks._settings_glance import offloads
from fullrate.records.facts.ethtool import Features
from fullrate.records.facts.link import Link, LinkCounters, wires_below
from fullrate.records.finding import Confidence, Evidence, Finding, Remedy
from fullrate.records.goodput import ETHERNET_HEADER
from fullrate.records.leaf import Check
from fullrate.records.trial import Trial
from fullrate.records.view import EndView, View

CAUSE = "offload-off"
# by their kernel names, with ethtool -K's words
_SENDING = {
    "tx-checksumming": "tx",
    "scatter-gather": "sg",
    "tcp-segmentation-offload": "tso",
    "generic-segmentation-offload": "gso",
}
_RECEIVING = {"generic-receive-offload": "gro"}
_FULL_FRAME_SHARE = 1.5  # mean bytes a packet over the MTU: above it, packets still travel merged


@dataclass(frozen=True, slots=True, kw_only=True)
class _Off:
    """Offloads of one link that are off and can be switched on."""

    end: EndView
    names: tuple[str, ...]
    words: tuple[str, ...]

    @property
    def said(self) -> str:
        return f"{', '.join(self.names)} off on {self.end.interface}"


def diagnose(view: View) -> Finding:
    """Whether a missing offload makes a CPU the limit of this direction."""
    if without_tcp(view):
        return not_applicable(CAUSE, "only UDP was sent: these offloads merge TCP segments")
    trial = view.trial()
    sides = [(end, words) for end, words in ((view.sender, _SENDING), (view.receiver, _RECEIVING))]
    return worst(*(partial(_side, view, trial, link, words) for end, words in sides for link in _links(end)))


def _links(end: EndView) -> tuple[EndView, ...]:
    """The wires of the link under test and the link itself: where a NIC lacks an offload, what is above it does too."""
    names = dict.fromkeys((*wires_below(end.all(Link), link_of(end)), link_of(end)))
    return tuple(replace(end, interface=name) for name in names)


def _side(view: View, trial: Trial, end: EndView, words: Mapping[str, str]) -> Finding:
    features = end.need(Features, link_of(end))
    states = {name: features.on(name) for name in words}
    fixed = {feature.name for feature in features.features if feature.fixed}
    off = tuple(name for name, on in states.items() if on is False and name not in fixed)
    evidence = [saw(end.source_of(features), name, "on" if on else "off") for name, on in states.items()]
    if off:
        return _off(view, trial, _Off(end=end, names=off, words=tuple(words[name] for name in off)), evidence)
    if None in states.values():
        raise end.missing(Features, end.interface)
    if not any(states.values()):
        return not_applicable(CAUSE, f"the driver of {end.interface} offers none of these offloads", end=end.end)
    return clear(CAUSE, "the offloads that the driver offers are on", evidence, end=end.end)


def _off(view: View, trial: Trial, off: _Off, evidence: list[Evidence]) -> Finding:
    virtual = off.end.need(Link, off.end.interface).kind is not None
    if view.alone and not virtual:
        return _problem(off, evidence, costs=0.0, said=UNTESTED)
    if view.alone:
        return clear(CAUSE, f"{off.said}, as is usual on a virtual link", evidence, end=off.end.end)
    load = busiest_cpu(view, trial, off.end)
    evidence += [saw(load.source, f"CPU {load.cpu} busy", f"{load.busy:.0%}"), measured(trial)]
    if load.busy >= SATURATED and not is_full(view, trial) and _unmerged(view, trial, off.end, evidence):
        reached = min(view.ceiling, rate(trial) / load.busy)  # with the CPU's last tick, the offload still off
        return _problem(off, evidence, costs=view.ceiling - reached)
    if virtual:
        return clear(CAUSE, f"{off.said}, at no cost", evidence, end=off.end.end)
    return _problem(off, evidence, costs=0.0)


def _unmerged(view: View, trial: Trial, end: EndView, evidence: list[Evidence]) -> bool:
    """Whether packets travelled one by one, as far as the link's counters can tell. Raises Missing without packets."""
    delta, way = link_delta(view, trial, end), "tx" if end.end is view.sender.end else "rx"
    before, after = delta.before, delta.after
    counts = {"tx": (before.tx_packets, after.tx_packets), "rx": (before.rx_packets, after.rx_packets)}
    sizes = {"tx": (before.tx_bytes, after.tx_bytes), "rx": (before.rx_bytes, after.rx_bytes)}
    packets, size = growth(end, LinkCounters, *counts[way]), growth(end, LinkCounters, *sizes[way])
    if not packets:
        raise end.missing(LinkCounters, end.interface)
    evidence.append(saw(delta.source, f"{way} bytes a packet", round(size / packets)))
    return size / packets <= _FULL_FRAME_SHARE * (mtu(view) + ETHERNET_HEADER)


def _problem(off: _Off, evidence: list[Evidence], *, costs: float, said: str = "at no cost here") -> Finding:
    link = off.end.interface or ""
    on, back = (" ".join(f"{word} {state}" for word in off.words) for state in ("on", "off"))
    remedy = Remedy(
        knob="nic.feature",
        subject=link,
        value=on,
        end=off.end.end,
        commands=(f"ethtool -K {link} {on}",),
        undo=(f"ethtool -K {link} {back}",),
        note="read back with ethtool -k: a driver may change half and still report success",
    )
    return problem(
        CAUSE,
        off.said + ("; the per-packet work fills a CPU" if costs else f", {said}"),
        evidence,
        end=off.end.end,
        subject=link,
        confidence=Confidence.HIGH if costs else Confidence.MEDIUM,
        costs_bps=costs,
        remedies=(remedy,),
    )


def _glance(view: View) -> Finding | None:
    return offloads(view, CAUSE, {**_SENDING, **_RECEIVING})


CHECK = Check(id=CAUSE, cause=CAUSE, diagnose=diagnose, alone=True, glance=_glance)
