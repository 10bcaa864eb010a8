"""TCP may keep so little in the sender's own queues that they run empty: tcp_limit_output_bytes was lowered.

The kernel lets a socket have that many bytes below TCP (net/ipv4/tcp_output.c, tcp_small_queue_check; ip-sysctl.rst).
The sign: data waits to be sent while both windows would let more go, and neither pacing nor a CPU is the reason.
"""

from fullrate.checks._common import clear, is_full, measured, not_applicable, problem, rate, saw, without_tcp
from fullrate.checks._flow import connections
from fullrate.checks._tcp import congestion_controls, kept_from_running
from fullrate.records.facts.net import Sysctl, TcpSocket
from fullrate.records.finding import Confidence, Finding, Remedy
from fullrate.records.leaf import Check
from fullrate.records.view import View

CAUSE = "tcp-small-queues"
_KEY = "net.ipv4.tcp_limit_output_bytes"  # of both IP versions, in spite of its name
# The lowest default Linux ever had (3.6; since then 256 kB, 1 MB, 4 MB): whoever has less set it so.
_LOWEST = 131072
_USUAL = 1048576  # the default from Linux 4.20 on
_ROOM = 0.9  # of a window: with less in flight it is not the window that holds the flow back
_WAITING = 4  # segments: less may just have been written


def diagnose(view: View) -> Finding:
    """Whether TCP's limit for its own queues caps this direction."""
    if without_tcp(view):
        return not_applicable(CAUSE, "only UDP was sent: the limit is TCP's")
    trial, end = view.trial(), view.sender
    limit = end.need(Sysctl, _KEY)
    size = limit.numbers[0] if limit.numbers else _LOWEST
    evidence = [saw(end.source_of(limit), _KEY, limit.value), measured(trial)]
    if size >= _LOWEST or is_full(view, trial):
        return clear(CAUSE, "TCP may keep enough in the queues below it", evidence, end=end.end)
    flows = connections(view.window(trial, end))
    paced = any(name.startswith("bbr") for name in congestion_controls(view, trial))
    share = max(_filled(view, socket) for flow in flows for socket in (flow.before, flow.after))
    evidence.append(saw(flows[0].source, "in flight of the window", f"{share:.0%}"))
    if share >= _ROOM or paced or kept_from_running(view, trial, end):
        return clear(CAUSE, "a window, pacing or a CPU holds the flow back", evidence, end=end.end)
    return problem(
        CAUSE,
        f"{_KEY} is {size}: data waits in the socket though the windows are open",
        evidence,
        end=end.end,
        subject=_KEY,
        confidence=Confidence.MEDIUM,
        costs_bps=min(view.ceiling, rate(trial) / max(share, 1 - _ROOM)) - rate(trial),
        remedies=(_remedy(view, limit),),
    )


def _filled(view: View, socket: TcpSocket) -> float:
    """The share of the smaller window in flight; 1 when nothing waits. Raises Missing."""
    flight, cwnd, mss, waits = socket.unacknowledged, socket.congestion_window, socket.mss, socket.not_sent
    if flight is None or waits is None or not cwnd or not mss:
        raise view.sender.missing(TcpSocket)
    if waits < _WAITING * mss:
        return 1.0
    window = cwnd * mss if socket.send_window is None else min(cwnd * mss, socket.send_window)
    return flight * mss / window if window else 1.0


def _remedy(view: View, limit: Sysctl) -> Remedy:
    return Remedy(
        knob=f"sysctl.{_KEY}",
        subject=_KEY,
        value=str(_USUAL),
        end=view.sender.end,
        commands=(f"sysctl -w {_KEY}={_USUAL}",),
        undo=(f"sysctl -w {_KEY}={limit.value}",),
    )


CHECK = Check(id=CAUSE, cause=CAUSE, diagnose=diagnose)
