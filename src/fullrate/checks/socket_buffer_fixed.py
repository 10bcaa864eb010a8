"""A socket buffer that does not grow, though the settings would let it: a program or a setting switched autotuning off.

A program that sets SO_RCVBUF or SO_SNDBUF (`iperf3 -w`) switches it off for its socket (tcp(7)); tcp_moderate_rcvbuf=0
does so for every receiving socket (ip-sysctl.rst). The buffer is then the same at both readings and below what the path
needs, while the largest that tcp_rmem or tcp_wmem allows would be enough.
"""

from dataclasses import dataclass

from fullrate.checks._buffers import buffer_needed, reading, unread
from fullrate.checks._common import clear, is_full, measured, not_applicable, problem, rate, saw, without_tcp
from fullrate.checks._flow import connections, fills_send_buffer, mean_round_trip
from fullrate.checks._tcp import HELD, buffer_held, window_held
from fullrate.checks._told_pairs import smaller_buffer
from fullrate.checks._window_glance import fixed_window
from fullrate.records.facts.net import Sysctl, TcpSocket
from fullrate.records.finding import Confidence, Evidence, Finding, Remedy
from fullrate.records.leaf import Check
from fullrate.records.snapshot import Delta
from fullrate.records.trial import Trial
from fullrate.records.units import BITS_PER_BYTE, Bytes
from fullrate.records.view import EndView, View

CAUSE = "socket-buffer-fixed"
_MODERATE = "net.ipv4.tcp_moderate_rcvbuf"  # of both IP versions, in spite of its name
_LARGEST = 2  # of min, default, max
Flows = tuple[Delta[TcpSocket], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Buffer:
    """One buffer at the two readings, and how many bytes in flight it allowed all flows together."""

    end: EndView
    key: str
    before: Bytes
    after: Bytes
    window: Bytes
    reads: bool = True  # the receiving program keeps up


def diagnose(view: View) -> Finding:
    """Whether a fixed buffer caps this direction."""
    if without_tcp(view):
        return not_applicable(CAUSE, "only UDP was sent: it has no window")
    trial = view.trial()
    flows = connections(view.window(trial, view.sender))
    received, sent = window_held(view, flows), buffer_held(view, flows)
    filled = all(fills_send_buffer(flow.before) and fills_send_buffer(flow.after) for flow in flows)
    evidence = [
        saw(flows[0].source, "rwnd_limited", f"{received:.0%} of the time"),
        saw(flows[0].source, "send buffer full" if filled else "sndbuf_limited", f"{sent:.0%} of the time"),
        measured(trial),
    ]
    if (max(received, sent) < HELD and not filled) or is_full(view, trial):
        return clear(CAUSE, "no buffer held the flow back", evidence)
    found = _sending(view, flows) if filled or sent > received else _receiving(view, trial, flows)
    return _judge(view, trial, flows, found, evidence)


def _receiving(view: View, trial: Trial, flows: Flows) -> _Buffer:
    socket = reading(view, trial)
    if socket is None:
        raise view.receiver.missing(TcpSocket)
    return _Buffer(
        end=view.receiver,
        key="net.ipv4.tcp_rmem",
        before=socket.before.receive_buffer or 0,
        after=socket.after.receive_buffer or 0,
        window=sum(flow.after.send_window or 0 for flow in flows),
        reads=not unread(view, trial, socket).mostly,
    )


def _sending(view: View, flows: Flows) -> _Buffer:
    first = flows[0]
    if first.before.send_buffer is None or first.after.send_buffer is None:
        raise view.sender.missing(TcpSocket)
    queued = sum(flow.after.send_queue for flow in flows)
    return _Buffer(
        end=view.sender,
        key="net.ipv4.tcp_wmem",
        before=first.before.send_buffer,
        after=first.after.send_buffer,
        window=queued,
    )


def _judge(view: View, trial: Trial, flows: Flows, found: _Buffer, evidence: list[Evidence]) -> Finding:
    end, need = found.end, buffer_needed(view, flows)
    limit = end.need(Sysctl, found.key)
    evidence += [
        saw(flows[0].source, "buffer, bytes", f"{found.before}, later {found.after}"),
        saw("arithmetic", "bytes needed: 2 x ceiling x RTT / 8 / connections", need),
        saw(end.source_of(limit), found.key, limit.value),
    ]
    if not found.reads or found.before != found.after or found.after >= need:
        return clear(CAUSE, "the buffer grows, or is large enough", evidence, end=end.end)
    if len(limit.numbers) <= _LARGEST or limit.numbers[_LARGEST] < need:
        return clear(CAUSE, f"{found.key} does not allow more: it is the limit", evidence, end=end.end)
    return _problem(view, trial, flows, found, evidence)


def _problem(view: View, trial: Trial, flows: Flows, found: _Buffer, evidence: list[Evidence]) -> Finding:
    off = found.end.want(Sysctl, _MODERATE) if found.end is view.receiver else None
    switched = off is not None and off.value == "0"
    holds = found.window * BITS_PER_BYTE / mean_round_trip(view.sender, flows)
    why = f"{_MODERATE} is 0" if switched else "the program has set its size"
    return problem(
        CAUSE,
        f"a socket buffer of {found.after:,} bytes does not grow: {why}",
        [*evidence, *([saw(found.end.source_of(off), _MODERATE, off.value)] if switched and off else [])],
        end=found.end.end,
        subject=_MODERATE if switched else found.key,
        confidence=Confidence.HIGH if switched else Confidence.MEDIUM,
        costs_bps=view.ceiling - max(rate(trial), min(view.ceiling, holds)),
        remedies=(_remedy(found.end),) if switched else (),
    )


def _remedy(end: EndView) -> Remedy:
    return Remedy(
        knob=f"sysctl.{_MODERATE}",
        subject=_MODERATE,
        value="1",
        end=end.end,
        commands=(f"sysctl -w {_MODERATE}=1",),
        undo=(f"sysctl -w {_MODERATE}=0",),
        note="holds for new connections",
    )


def glance(view: View) -> Finding | None:
    """Two tests with different buffers, or the one window that a test set and that the round trip makes the limit."""
    return smaller_buffer(view, CAUSE) or fixed_window(view, CAUSE)


CHECK = Check(id=CAUSE, cause=CAUSE, diagnose=diagnose, glance=glance)
