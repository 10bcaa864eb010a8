"""What losing packets costs TCP, and where they were lost."""

import math
from dataclasses import dataclass

from fullrate.checks._common import growth, link_delta, rate, saw
from fullrate.checks._filters import rule_drops
from fullrate.checks._flow import connections, mean_round_trip, round_trip
from fullrate.records.facts.cpu import Softnet
from fullrate.records.facts.link import LinkCounters
from fullrate.records.facts.net import TcpSocket
from fullrate.records.facts.qdisc import Qdisc
from fullrate.records.finding import Evidence
from fullrate.records.snapshot import Delta
from fullrate.records.trial import Trial
from fullrate.records.units import BITS_PER_BYTE, MICROSECONDS, BitsPerSecond
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
    sent: int
    connections: tuple[Delta[TcpSocket], ...]
    evidence: tuple[Evidence, ...]


def loss(view: View, trial: Trial) -> Loss:
    """The retransmissions of all the test's connections. Raises Missing when they were not seen or sent nothing."""
    end = view.sender
    flows = connections(view.window(trial, end))
    sent = sum(growth(end, TcpSocket, flow.before.segments_out, flow.after.segments_out) for flow in flows)
    again = sum(growth(end, TcpSocket, flow.before.retransmits, flow.after.retransmits) for flow in flows)
    if sent == 0:
        raise end.missing(TcpSocket)
    source = flows[0].source
    evidence = (
        saw(source, "retransmits", f"+{again} of {sent} segments ({again / sent:.2%})"),
        saw(source, "rtt_us", round(mean_round_trip(end, flows) * MICROSECONDS)),
    )
    return Loss(ratio=again / sent, segments=again, sent=sent, connections=flows, evidence=evidence)


def cost(view: View, trial: Trial, found: Loss, ratio: float) -> BitsPerSecond:
    """What a loss ratio takes from the ceiling: the ceiling minus what TCP can hold at this RTT and loss."""
    if ratio <= 0:
        return 0.0
    holds = sum(_pace(view.sender, flow) for flow in found.connections) * _MATHIS / math.sqrt(ratio)
    return max(0.0, view.ceiling - max(rate(trial), holds))


def stalled(view: View, trial: Trial, found: Loss) -> float:
    """The share of a trial's samples in which a flow had data to send and nothing in flight. Raises Missing."""
    window = view.window(trial, view.sender)
    samples = [one for flow in found.connections for one in window.course(TcpSocket, flow.after.identity)]
    if not samples:
        raise view.sender.missing(TcpSocket)
    return sum(one.send_queue > 0 and one.unacknowledged == 0 for one in samples) / len(samples)


def _pace(end: EndView, flow: Delta[TcpSocket]) -> BitsPerSecond:
    """One segment each round trip."""
    if not flow.after.mss:
        raise end.missing(TcpSocket)
    return flow.after.mss * BITS_PER_BYTE / round_trip(end, flow)


@dataclass(frozen=True, slots=True, kw_only=True)
class Drop:
    """Packets one place of one host discarded during a trial, counted in segments of the wire's size."""

    place: str
    end: EndView
    segments: float
    evidence: Evidence


def local_drops(view: View, trial: Trial) -> tuple[Drop, ...]:
    """Every counted discard of payload on the two hosts, most first. Raises Missing when a counter was not seen.

    Only what the payload passes: the sender's way out, the receiver's way in. What discards acknowledgements does not
    make the sender send again.
    """
    found = [*_filter(view, trial, view.sender), _qdisc(view, trial), _link_out(view, trial)]
    found += [_link_in(view, trial), _backlog(view, trial), *_filter(view, trial, view.receiver)]
    return tuple(sorted((drop for drop in found if drop.segments), key=lambda drop: -drop.segments))


def _filter(view: View, trial: Trial, end: EndView) -> list[Drop]:
    return [
        Drop(place="filter", end=end, segments=drops.segments, evidence=drops.evidence)
        for drops in rule_drops(view, trial, end)
    ]


def _qdisc(view: View, trial: Trial) -> Drop:
    """The worst one: a classful qdisc counts its children's drops too (net/sched/sch_htb.c, htb_enqueue)."""
    end = view.sender
    deltas = view.window(trial, end).deltas(Qdisc)
    if not deltas:
        raise end.missing(Qdisc)
    dropped, worst = max(
        ((growth(end, Qdisc, delta.before.dropped, delta.after.dropped), delta) for delta in deltas),
        key=lambda pair: pair[0],
    )
    return Drop(
        place="qdisc",
        end=end,
        segments=dropped,
        evidence=saw(worst.source, f"{worst.after.kind} {worst.after.handle} dropped", f"+{dropped}"),
    )


def _link_out(view: View, trial: Trial) -> Drop:
    delta = link_delta(view, trial, view.sender)
    dropped = growth(view.sender, LinkCounters, delta.before.tx_dropped, delta.after.tx_dropped)
    evidence = saw(delta.source, f"{delta.after.subject} tx_dropped", f"+{dropped}")
    return Drop(place="link", end=view.sender, segments=dropped, evidence=evidence)


def _link_in(view: View, trial: Trial) -> Drop:
    delta = link_delta(view, trial, view.receiver)
    dropped = growth(view.receiver, LinkCounters, delta.before.rx_dropped, delta.after.rx_dropped)
    evidence = saw(delta.source, f"{delta.after.subject} rx_dropped", f"+{dropped}")
    return Drop(place="link", end=view.receiver, segments=dropped, evidence=evidence)


def _backlog(view: View, trial: Trial) -> Drop:
    end = view.receiver
    deltas = view.window(trial, end).deltas(Softnet)
    if not deltas:
        raise end.missing(Softnet)
    dropped = sum(growth(end, Softnet, delta.before.dropped, delta.after.dropped) for delta in deltas)
    evidence = saw(deltas[0].source, "dropped, all CPUs", f"+{dropped}")
    return Drop(place="backlog", end=end, segments=dropped, evidence=evidence)
