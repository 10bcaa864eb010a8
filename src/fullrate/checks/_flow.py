"""The test's own connections, as the kernel of one end saw them."""

from collections.abc import Iterable

from fullrate.checks._common import growth
from fullrate.records.facts.net import TcpSocket
from fullrate.records.snapshot import Delta
from fullrate.records.units import BitsPerSecond, Seconds, bits_per_second
from fullrate.records.view import EndView, WindowView

_DATA = 0.01  # of what the busiest connection sent: iperf3's control connection sends some hundred bytes
_ROOM = 0.9  # of a window: with less in flight, it is not the window that holds the flow back
# Of sk_sndbuf, which counts each segment's overhead too; a flow that its window holds back fills it by half, for the
# buffer grows to twice the window (net/ipv4/tcp_input.c, tcp_sndbuf_expand). Capped: 0.87 (measured).
_HELD = 0.7


def connections(window: WindowView) -> tuple[Delta[TcpSocket], ...]:
    """The connections that carry the test's payload, the busiest first. Raises Missing when none was seen twice."""
    sent = sorted(((bytes_sent(window.end, delta), delta) for delta in window.deltas(TcpSocket)), key=lambda it: -it[0])
    if not sent:
        raise window.end.missing(TcpSocket)
    return tuple(delta for size, delta in sent if size >= _DATA * sent[0][0])


def bytes_sent(end: EndView, delta: Delta[TcpSocket]) -> int:
    """Payload one connection sent, what it sent again included where the kernel says so. Raises Missing."""
    before, after = delta.before, delta.after
    if after.bytes_sent is None:  # tcp_info has it since Linux 4.19
        return growth(end, TcpSocket, before.bytes_acked, after.bytes_acked)
    return growth(end, TcpSocket, before.bytes_sent, after.bytes_sent)


def sending_rate(window: WindowView) -> BitsPerSecond:
    """What all connections of the test sent. Raises Missing."""
    return sum(_rate(window.end, delta) for delta in connections(window))


def _rate(end: EndView, delta: Delta[TcpSocket]) -> BitsPerSecond:
    if delta.seconds <= 0:
        raise end.missing(TcpSocket)
    return bits_per_second(bytes_sent(end, delta), delta.seconds)


def round_trip(end: EndView, delta: Delta[TcpSocket]) -> Seconds:
    """One connection's smoothed RTT. Raises Missing when it has none yet."""
    if not delta.after.rtt:
        raise end.missing(TcpSocket)
    return delta.after.rtt


def mean_round_trip(end: EndView, deltas: Iterable[Delta[TcpSocket]]) -> Seconds:
    """The connections' mean RTT. Raises Missing."""
    times = [round_trip(end, delta) for delta in deltas]
    return sum(times) / len(times)


def fills_send_buffer(socket: TcpSocket) -> bool:
    """Whether all that the send buffer holds is in flight while both windows would let more go.

    The kernel's own clock for this (tcpi_sndbuf_limited) stays near zero for a program that writes again at once:
    a flow capped at a 512 kB buffer showed 0.5 % (measured, Linux 6.18).
    """
    flight, cwnd, mss, buffer = (
        socket.unacknowledged,
        socket.congestion_window,
        socket.mss,
        socket.send_buffer,
    )
    if not (flight and cwnd and mss and buffer) or socket.not_sent is None:
        return False
    spare = flight < _ROOM * cwnd and (socket.send_window is None or flight * mss < _ROOM * socket.send_window)
    return spare and socket.not_sent < mss and socket.send_queue > _HELD * buffer
