"""The largest buffer TCP may grow to is below the path's bandwidth-delay product.

The kernel counts how long a connection was held back by the receiver's window (tcpi_rwnd_limited) and by its own send
buffer (tcpi_sndbuf_limited). A receiver that does not read also closes its window: then its receive queue is full, and
buffers are not the cause. A receive window is at most about half of tcp_rmem[2] (tcp_adv_win_scale, or
the measured ratio since Linux 6.6), so twice the bandwidth-delay product is needed at either end (ip-sysctl.rst,
tcp_rmem, tcp_wmem).
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from fullrate.checks._buffers import buffer_needed, least_buffer, reading, unread
from fullrate.checks._common import clear, growth, is_full, measured, not_applicable, problem, rate, saw, without_tcp
from fullrate.checks._flow import connections, fills_send_buffer, mean_round_trip
from fullrate.checks._settings_glance import buffers
from fullrate.checks._small_buffers import untested
from fullrate.records.facts.net import Sysctl, TcpSocket
from fullrate.records.finding import Confidence, Evidence, Finding, Remedy
from fullrate.records.leaf import Check
from fullrate.records.snapshot import Delta
from fullrate.records.trial import Trial
from fullrate.records.units import BITS_PER_BYTE, MICROSECONDS, MILLISECONDS, Bytes, Seconds
from fullrate.records.view import EndView, View

CAUSE = "tcp-buffers-too-small"
_LIMITED = 0.20  # of the time data was in flight; below it the window is not what holds the flow back
_FACTOR = 2  # buffer bytes for each byte of window


@dataclass(frozen=True, slots=True, kw_only=True)
class _Side:
    """One buffer: whose, which sysctl, what share of the time it held the flows back, the window it gave them all."""

    key: str
    end: EndView
    word: str
    share: float
    window: Bytes
    flows: int
    rtt: Seconds


def diagnose(view: View) -> Finding:
    """Whether a TCP buffer limit caps this direction."""
    if view.alone:
        return untested(view)
    if without_tcp(view):
        return not_applicable(CAUSE, "only UDP was sent: it has no window")
    trial = view.trial()
    flows = connections(view.window(trial, view.sender))
    side = max(_receiving(view, flows), _sending(view, flows), key=lambda side: side.share)
    evidence = [
        saw(flows[0].source, side.word, f"{side.share:.0%} of the time"),
        saw(flows[0].source, "rtt_us", round(side.rtt * MICROSECONDS)),
        measured(trial),
    ]
    if side.share < _LIMITED or is_full(view, trial):
        return clear(CAUSE, "no window or buffer held the flow back", evidence)
    if side.end.end is view.receiver.end and _not_reading(view, trial, flows, evidence):
        return clear(CAUSE, "the receiving program does not read: its queue is full, not its buffer small", evidence)
    return _judge(view, trial, side, flows, evidence)


def _receiving(view: View, flows: tuple[Delta[TcpSocket], ...]) -> _Side:
    pairs = [(flow.before.receive_window_limited, flow.after.receive_window_limited) for flow in flows]
    windows = [flow.after.send_window or 0 for flow in flows]
    return _side(view, view.receiver, "net.ipv4.tcp_rmem", "rwnd_limited", pairs, windows, flows)


def _sending(view: View, flows: tuple[Delta[TcpSocket], ...]) -> _Side:
    pairs = [(flow.before.send_buffer_limited, flow.after.send_buffer_limited) for flow in flows]
    windows = [(flow.after.congestion_window or 0) * (flow.after.mss or 0) for flow in flows]
    side = _side(view, view.sender, "net.ipv4.tcp_wmem", "sndbuf_limited", pairs, windows, flows)
    if all(fills_send_buffer(flow.before) and fills_send_buffer(flow.after) for flow in flows):
        queued = sum(flow.after.send_queue for flow in flows)
        return replace(side, word="send buffer full, its windows not", share=1.0, window=queued)
    return side


def _side(  # noqa: PLR0913, PLR0917 - what sets the two buffers apart
    view: View,
    end: EndView,
    key: str,
    word: str,
    limited: Iterable[tuple[Seconds | None, Seconds | None]],
    windows: Iterable[Bytes],
    flows: tuple[Delta[TcpSocket], ...],
) -> _Side:
    """Both of the sender's clocks, summed over the connections. Raises Missing when a kernel does not keep them."""
    sender = view.sender
    busy = sum(growth(sender, TcpSocket, flow.before.busy, flow.after.busy) for flow in flows)
    held = sum(growth(sender, TcpSocket, before, after) for before, after in limited)
    if busy <= 0:
        raise sender.missing(TcpSocket)
    rtt = mean_round_trip(sender, flows)
    return _Side(key=key, end=end, word=word, share=held / busy, window=sum(windows), flows=len(flows), rtt=rtt)


def _not_reading(view: View, trial: Trial, flows: tuple[Delta[TcpSocket], ...], evidence: list[Evidence]) -> bool:
    """Whether the receiver mostly leaves half of its window unread, in a buffer that could hold more."""
    socket = reading(view, trial)
    if socket is None:
        raise view.receiver.missing(TcpSocket)
    left = unread(view, trial, socket)
    evidence.append(left.evidence)
    return left.mostly and (socket.after.receive_buffer or 0) >= least_buffer(view, len(flows))


def _judge(
    view: View, trial: Trial, side: _Side, flows: tuple[Delta[TcpSocket], ...], evidence: list[Evidence]
) -> Finding:
    setting = side.end.need(Sysctl, side.key)
    evidence.append(saw(side.end.source_of(setting), side.key, setting.value))
    if len(setting.numbers) != len(("min", "default", "max")):
        raise side.end.missing(Sysctl, side.key)
    most = setting.numbers[2]
    need = buffer_needed(view, flows)
    evidence.append(saw("arithmetic", "bytes needed: 2 x ceiling x RTT / 8 / connections, or four superframes", need))
    if most >= need:
        return clear(CAUSE, "the buffers may grow beyond what this path needs", evidence)
    window = side.window or side.flows * most // _FACTOR
    holds = max(rate(trial), min(view.ceiling, window * BITS_PER_BYTE / side.rtt))
    return problem(
        CAUSE,
        f"{side.key} allows {most:,} bytes; this path (RTT {side.rtt * MILLISECONDS:.3g} ms) needs {need:,}",
        evidence,
        end=side.end.end,
        subject=side.key,
        confidence=Confidence.HIGH,
        costs_bps=view.ceiling - holds,
        remedies=(_remedy(side, setting, need),),
    )


def _remedy(side: _Side, setting: Sysctl, need: Bytes) -> Remedy:
    least, default, _ = setting.value.split()
    return Remedy(
        knob=f"sysctl.{side.key}",
        subject=side.key,
        value=f"{least} {default} {need}",
        end=side.end.end,
        commands=(f"sysctl -w {side.key}='{least} {default} {need}'",),
        undo=(f"sysctl -w {side.key}='{setting.value}'",),
        note="holds for new connections; a busy server with many connections needs the memory",
    )


CHECK = Check(id=CAUSE, cause=CAUSE, diagnose=diagnose, alone=True, glance=lambda view: buffers(view, CAUSE))
