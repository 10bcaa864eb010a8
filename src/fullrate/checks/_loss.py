"""What losing packets costs TCP."""

import math
from dataclasses import dataclass

from fullrate.checks._common import growth, rate, saw
from fullrate.checks._flow import connections, mean_round_trip, round_trip
from fullrate.records.facts.net import ProtocolCounters, TcpSocket
from fullrate.records.finding import Evidence
from fullrate.records.snapshot import Delta
from fullrate.records.trial import Trial
from fullrate.records.units import BITS_PER_BYTE, MICROSECONDS, BitsPerSecond, Seconds
from fullrate.records.view import EndView, View, WindowView

# Mathis, Semke, Mahdavi, Ott: "The macroscopic behavior of the TCP congestion avoidance algorithm" (1997), eq. 3:
# rate = MSS / RTT * C / sqrt(p) with C = sqrt(3/2) for a flow whose every segment is acknowledged.
_MATHIS = math.sqrt(1.5)
# The paper's p counts congestion signals: what is lost of one window is one (its section 2). The kernel counts those
# as recoveries and timeouts (net/ipv4/tcp_input.c, tcp_enter_recovery; tcp_timer.c, tcp_retransmit_timer). At 3 % of
# random loss and RTTs of 0.2 to 0.6 ms, which hardly stay put, the formula gives with the segments sent again half of
# what a flow carried, with the signals up to twice as much (13 flows of 190 to 640 Mbit/s, measured); the geometric
# mean of both, which is reckoned with, gave 0.5 to 2.3 of it.
_TIMEOUTS = "TcpExtTCPTimeouts"
_SIGNALS = ("TcpExtTCPSackRecovery", "TcpExtTCPRenoRecovery", _TIMEOUTS)
# A lost segment that no later one reports, or that is lost again, is sent after a timer, which is never shorter
# (TCP_RTO_MIN, include/net/tcp.h); the formula above knows nothing of that time. It is counted where the flow was
# silent, too: the kernel counts the timeouts of all its connections.
_SHORTEST_TIMER: Seconds = 0.2
_SILENT = 0.01  # of the rate
# A healthy flow through a short queue retransmits up to about 0.1 % of its segments (measured on a 1 Gbit/s tbf).
NOTABLE = 0.002


@dataclass(frozen=True, slots=True, kw_only=True)
class Loss:
    """What the sender retransmitted during a trial; `ratio` of the segments it sent.

    `signals`: how often that told TCP of congestion, in all connections of the host; None where nobody counted.
    """

    ratio: float
    segments: int
    signals: int | None = None
    waited: float = 0.0  # the share of the trial's time in which timers were waited for
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
    window = view.window(trial, end)
    return Loss(
        ratio=again / sent,
        segments=again,
        signals=_signals(window),
        waited=_waited(window, trial),
        sent=sent,
        connections=flows,
        evidence=evidence,
    )


def _signals(window: WindowView) -> int | None:
    delta = window.want(ProtocolCounters, "netstat")
    if delta is None:
        return None
    grown = [delta.after.counters.get(name, 0) - delta.before.counters.get(name, 0) for name in _SIGNALS]
    return sum(grown) if min(grown) >= 0 else None


def _waited(window: WindowView, trial: Trial) -> float:
    """The share of a trial in which its flows stood still, as far as that many timeouts take so long."""
    delta = window.want(ProtocolCounters, "netstat")
    if delta is None or delta.seconds <= 0:
        return 0.0
    timeouts = delta.after.counters.get(_TIMEOUTS, 0) - delta.before.counters.get(_TIMEOUTS, 0)
    silent = sum(one.seconds for one in trial.series if one.throughput <= _SILENT * rate(trial))
    return min(1.0, min(max(0, timeouts) * _SHORTEST_TIMER, silent) / delta.seconds)


def cost(view: View, trial: Trial, found: Loss, ratio: float) -> BitsPerSecond:
    """What a loss ratio takes from the ceiling: the ceiling minus what TCP can hold at this RTT, loss and waiting."""
    if ratio <= 0:
        return 0.0
    holds = sum(_pace(view.sender, flow) for flow in found.connections) * _MATHIS / math.sqrt(ratio * _bunched(found))
    moving = 1 - found.waited * min(1.0, ratio / found.ratio if found.ratio else 1.0)
    return max(0.0, view.ceiling - max(rate(trial), min(holds, view.ceiling) * moving))


def _bunched(found: Loss) -> float:
    """What makes a share of segments the geometric mean of it and of the share of congestion signals."""
    return math.sqrt(min(1.0, found.signals / found.segments)) if found.signals and found.segments else 1.0


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
