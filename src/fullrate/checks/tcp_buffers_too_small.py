"""The largest buffer TCP may grow to is below the path's bandwidth-delay product.

The kernel counts how long a connection was held back by the receiver's window (tcpi_rwnd_limited) and by its own send
buffer (tcpi_sndbuf_limited). A receiver that does not read also closes its window: then its receive queue is full, and
buffers are not the cause. A receive window is at most about half of tcp_rmem[2] (tcp_adv_win_scale, or the
measured ratio since Linux 6.6), so twice the bandwidth-delay product is needed at either end (ip-sysctl.rst, tcp_rmem, tcp_wmem).
"""

from dataclasses import dataclass

from fullrate.checks._common import clear, data_socket, is_full, measured, problem, rate, saw
from fullrate.records.facts.net import Sysctl, TcpSocket
from fullrate.records.finding import Confidence, Evidence, Finding, Remedy
from fullrate.records.leaf import Check
from fullrate.records.snapshot import Delta
from fullrate.records.trial import Trial
from fullrate.records.units import BITS_PER_BYTE, Bytes
from fullrate.records.view import EndView, View

CAUSE = "tcp-buffers-too-small"
_LIMITED = 0.20  # of the time data was in flight; below it the window is not what holds the flow back
_QUEUED = 0.5  # of its buffer: a receiver holding so much unread is not reading
_FACTOR = 2  # buffer bytes for each byte of window


@dataclass(frozen=True, slots=True, kw_only=True)
class _Side:
    """One buffer: whose, which sysctl, what share of the time it held the flow back."""

    key: str
    end: EndView
    word: str
    share: float
    window: Bytes


def diagnose(view: View) -> Finding:
    """Whether a TCP buffer limit caps this direction."""
    ceiling, trial = view.ceiling, view.trial()
    delta = data_socket(view.window(trial, view.sender))
    if delta is None or delta.after.busy is None or not delta.after.rtt:
        raise view.sender.missing(TcpSocket)
    side = _worst(view, delta)
    evidence = [
        saw(delta.source, side.word, f"{side.share:.0%} of the time"),
        saw(delta.source, "rtt_us", round(delta.after.rtt * 1e6)),
        measured(trial),
    ]
    if side.share < _LIMITED or is_full(view, trial):
        return clear(CAUSE, "no window or buffer held the flow back", evidence)
    setting = side.end.need(Sysctl, side.key)
    need = round(ceiling * delta.after.rtt / BITS_PER_BYTE) * _FACTOR
    evidence.append(saw(f"run sysctl {side.key}", side.key, setting.value))
    if side.end.end is view.receiver.end and _not_reading(view, trial):
        return clear(CAUSE, "the receiving program does not read: its queue is full, not its buffer small", evidence)
    if len(setting.numbers) != 3 or setting.numbers[2] >= need:  # noqa: PLR2004 - min, default, max
        return clear(CAUSE, "the buffers may grow beyond what this path needs", evidence)
    return _problem(view, trial, side, setting, need=need, rtt=delta.after.rtt, evidence=evidence)


def _worst(view: View, delta: Delta[TcpSocket]) -> _Side:
    busy = (delta.after.busy or 0.0) - (delta.before.busy or 0.0)

    def share(after: float | None, before: float | None) -> float:
        return ((after or 0.0) - (before or 0.0)) / busy if busy > 0 else 0.0

    after, before = delta.after, delta.before
    sides = (
        _Side(
            key="net.ipv4.tcp_rmem",
            end=view.receiver,
            word="rwnd_limited",
            share=share(after.receive_window_limited, before.receive_window_limited),
            window=after.send_window or 0,
        ),
        _Side(
            key="net.ipv4.tcp_wmem",
            end=view.sender,
            word="sndbuf_limited",
            share=share(after.send_buffer_limited, before.send_buffer_limited),
            window=(after.congestion_window or 0) * (after.mss or 0),
        ),
    )
    return max(sides, key=lambda side: side.share)


def _not_reading(view: View, trial: Trial) -> bool:
    socket = max(
        view.window(trial, view.receiver).latest(TcpSocket), key=lambda one: one.bytes_received or 0, default=None
    )
    return (
        socket is not None
        and bool(socket.receive_buffer)
        and socket.recv_queue > _QUEUED * (socket.receive_buffer or 0)
    )


def _problem(  # noqa: PLR0913 - one finding is made of all of these
    view: View, trial: Trial, side: _Side, setting: Sysctl, *, need: Bytes, rtt: float, evidence: list[Evidence]
) -> Finding:
    window = min(side.window or need, setting.numbers[2])
    holds = max(rate(trial), min(view.ceiling, window * BITS_PER_BYTE / rtt))
    evidence.append(saw("arithmetic", "bytes needed: 2 x ceiling x RTT / 8", need))
    words = setting.value.split()
    return problem(
        CAUSE,
        f"{side.key} allows {setting.numbers[2]:,} bytes; this path ({rtt * 1e3:.1f} ms) needs {need:,}",
        evidence,
        end=side.end.end,
        subject=side.key,
        confidence=Confidence.HIGH,
        costs_bps=view.ceiling - holds,
        remedies=(
            Remedy(
                knob=f"sysctl.{side.key}",
                subject=side.key,
                value=f"{words[0]} {words[1]} {need}",
                end=side.end.end,
                commands=(f"sysctl -w {side.key}='{words[0]} {words[1]} {need}'",),
                undo=(f"sysctl -w {side.key}='{' '.join(words)}'",),
                note="holds for new connections; a busy server with many connections needs the memory",
            ),
        ),
    )


CHECK = Check(id=CAUSE, cause=CAUSE, diagnose=diagnose)
