"""What losing packets costs a TCP flow, and where they were lost."""

import math
from dataclasses import dataclass

from fullrate.checks._common import data_socket, link_delta, mtu, rate, saw
from fullrate.records.facts.cpu import Softnet
from fullrate.records.facts.net import FilterRule, TcpSocket
from fullrate.records.facts.qdisc import Qdisc
from fullrate.records.finding import Evidence
from fullrate.records.goodput import WIRE_OVERHEAD
from fullrate.records.snapshot import Delta, increase
from fullrate.records.trial import Trial
from fullrate.records.units import BITS_PER_BYTE, BitsPerSecond
from fullrate.records.view import EndView, View

# Mathis, Semke, Mahdavi, Ott: "The macroscopic behavior of the TCP congestion avoidance algorithm" (1997), eq. 3:
# rate = MSS / RTT * C / sqrt(p) with C = sqrt(3/2) for a flow whose every segment is acknowledged.
_MATHIS = math.sqrt(1.5)
# A healthy flow through a short queue retransmits up to about 0.1 % of its segments (measured on a 1 Gbit/s tbf).
NOTABLE = 0.002


@dataclass(frozen=True, slots=True, kw_only=True)
class Loss:
    """What the sender retransmitted during a trial; `ratio` of the segments it sent."""

    ratio: float
    segments: int
    socket: Delta[TcpSocket]
    evidence: tuple[Evidence, ...]


def loss(view: View, trial: Trial) -> Loss:
    """The retransmissions of the data connection. Raises Missing when its socket was not seen."""
    delta = data_socket(view.window(trial, view.sender))
    if delta is None:
        raise view.sender.missing(TcpSocket)
    sent = (delta.after.segments_out or 0) - (delta.before.segments_out or 0)
    again = (delta.after.retransmits or 0) - (delta.before.retransmits or 0)
    ratio = again / sent if sent > 0 else 0.0
    evidence = (
        saw(delta.source, "retransmits", f"+{again} of {sent} segments ({ratio:.2%})"),
        saw(delta.source, "rtt_us", round((delta.after.rtt or 0.0) * 1e6)),
    )
    return Loss(ratio=ratio, segments=again, socket=delta, evidence=evidence)


def cost(view: View, trial: Trial, found: Loss, ratio: float) -> BitsPerSecond:
    """What a loss ratio takes from the ceiling: the ceiling minus what TCP can hold at this RTT and loss."""
    rtt, mss = found.socket.after.rtt, found.socket.after.mss
    if not rtt or not mss or ratio <= 0:
        return 0.0
    holds = mss * BITS_PER_BYTE / rtt * _MATHIS / math.sqrt(ratio)
    return max(0.0, view.ceiling - max(rate(trial), min(holds, view.ceiling)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Drop:
    """Packets one place of one host discarded during a trial, counted in wire-sized segments."""

    place: str
    end: EndView
    segments: float
    evidence: Evidence


def local_drops(view: View, trial: Trial) -> tuple[Drop, ...]:
    """Every counted discard on the two hosts, largest first."""
    ends = (view.sender, view.receiver)
    drops = [drop for end in ends for look in (_filter, _qdisc, _link, _backlog) for drop in look(view, trial, end)]
    return tuple(sorted(drops, key=lambda drop: -drop.segments))


def rule_drops(view: View, trial: Trial, end: EndView) -> tuple[tuple[Delta[FilterRule], Drop], ...]:
    """What counted filter rules of one end discarded. A large packet (GSO, GRO) counts as the segments it holds."""
    found = []
    for delta in view.window(trial, end).deltas(FilterRule):
        packets = _grown(delta.before.packets, delta.after.packets)
        size = _grown(delta.before.bytes, delta.after.bytes)
        if packets:
            segments = max(packets, size / (mtu(view) + WIRE_OVERHEAD))
            evidence = saw(delta.source, delta.after.text, f"+{packets} packets, +{size} bytes")
            found.append((delta, Drop(place="filter", end=end, segments=segments, evidence=evidence)))
    return tuple(found)


def _grown(before: int | None, after: int | None) -> int:
    return 0 if before is None or after is None else increase(before, after) or 0


def _filter(view: View, trial: Trial, end: EndView) -> list[Drop]:
    return [drop for _, drop in rule_drops(view, trial, end)]


def _qdisc(view: View, trial: Trial, end: EndView) -> list[Drop]:
    return [
        Drop(
            place="qdisc",
            end=end,
            segments=dropped,
            evidence=saw(delta.source, f"{delta.after.kind} dropped", f"+{dropped}"),
        )
        for delta in view.window(trial, end).deltas(Qdisc)
        if (dropped := _grown(delta.before.dropped, delta.after.dropped))
    ]


def _link(view: View, trial: Trial, end: EndView) -> list[Drop]:
    delta = link_delta(view, trial, end)
    dropped = _grown(delta.before.rx_dropped, delta.after.rx_dropped) + _grown(
        delta.before.tx_dropped, delta.after.tx_dropped
    )
    evidence = saw(delta.source, f"{delta.after.subject} drop", f"+{dropped}")
    return [Drop(place="link", end=end, segments=dropped, evidence=evidence)] if dropped else []


def _backlog(view: View, trial: Trial, end: EndView) -> list[Drop]:
    deltas = view.window(trial, end).deltas(Softnet)
    dropped = sum(_grown(delta.before.dropped, delta.after.dropped) for delta in deltas)
    if not dropped:
        return []
    evidence = saw(deltas[0].source, "dropped, all CPUs", f"+{dropped}")
    return [Drop(place="backlog", end=end, segments=dropped, evidence=evidence)]
