"""TCP of the test: protocol counters of a trial, who held the flow back, what was sent again for nothing."""

from collections.abc import Iterable

from fullrate.checks._common import growth, is_full, rate
from fullrate.checks._cores import exhausted
from fullrate.checks._flow import connections
from fullrate.records.facts.cpu import CgroupThrottling
from fullrate.records.facts.net import TcpSocket
from fullrate.records.snapshot import Delta
from fullrate.records.trial import Trial
from fullrate.records.units import BitsPerSecond
from fullrate.records.view import EndView, View

HELD = 0.20  # of the time data was in flight, as in tcp-buffers-too-small: below it a window is not the limit
_THROTTLED = 0.10  # of the periods, as in cpu-quota
_MOST = 0.95  # never extrapolate a rate beyond twenty times what was seen


def total(end: EndView, pairs: Iterable[tuple[float | None, float | None]]) -> float:
    """How much counters of several sockets grew together. Raises Missing when a kernel does not keep one."""
    return sum(growth(end, TcpSocket, before, after) for before, after in pairs)


def window_held(view: View, flows: tuple[Delta[TcpSocket], ...]) -> float:
    """The share of the busy time in which the receiver's window held the flows back (tcpi_rwnd_limited)."""
    held = [(flow.before.receive_window_limited, flow.after.receive_window_limited) for flow in flows]
    return _share(view, flows, held)


def window_bound(view: View, flows: tuple[Delta[TcpSocket], ...]) -> bool:
    """Whether the receiver's window, not the congestion window, holds the flows back; no where that is not counted."""
    known = all(flow.after.receive_window_limited is not None for flow in flows)
    return known and window_held(view, flows) >= HELD


def buffer_held(view: View, flows: tuple[Delta[TcpSocket], ...]) -> float:
    """The share of the busy time in which the send buffer held the flows back (tcpi_sndbuf_limited)."""
    held = [(flow.before.send_buffer_limited, flow.after.send_buffer_limited) for flow in flows]
    return _share(view, flows, held)


def _share(view: View, flows: tuple[Delta[TcpSocket], ...], held: Iterable[tuple[float | None, float | None]]) -> float:
    busy = total(view.sender, ((flow.before.busy, flow.after.busy) for flow in flows))
    if busy <= 0:
        raise view.sender.missing(TcpSocket)
    return total(view.sender, held) / busy


def if_not_held(view: View, trial: Trial, share: float) -> BitsPerSecond:
    """What was lost to waiting: the rate the same flows would have without it, minus the rate they had."""
    return min(view.ceiling, rate(trial) / (1 - min(_MOST, share))) - rate(trial)


def kept_from_running(view: View, trial: Trial, end: EndView) -> bool:
    """Whether a CPU quota or a saturated CPU kept the end's program from its work. Raises Missing."""
    for delta in view.window(trial, end).deltas(CgroupThrottling):
        periods = growth(end, CgroupThrottling, delta.before.periods, delta.after.periods)
        throttled = growth(end, CgroupThrottling, delta.before.throttled_periods, delta.after.throttled_periods)
        if periods and throttled >= _THROTTLED * periods:
            return True
    return exhausted(view, trial, end) is not None


def congestion_controls(view: View, trial: Trial) -> frozenset[str]:
    """The algorithms of the sender's data connections. Raises Missing when none is told."""
    flows = connections(view.window(trial, view.sender))
    names = frozenset(flow.after.congestion_control for flow in flows if flow.after.congestion_control)
    if not names:
        raise view.sender.missing(TcpSocket)
    return names


def held_back(view: View, trial: Trial) -> bool:
    """Whether a window or the send buffer held the flows back, or the link is full: the algorithm did not. Missing."""
    flows = connections(view.window(trial, view.sender))
    return is_full(view, trial) or max(window_held(view, flows), buffer_held(view, flows)) >= HELD
