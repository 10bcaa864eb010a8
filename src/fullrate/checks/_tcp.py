"""TCP of the test: protocol counters of a trial, who held the flow back, what was sent again for nothing."""

from collections.abc import Iterable
from dataclasses import dataclass

from fullrate.checks._common import growth, is_full, rate, saw
from fullrate.checks._cpu import SATURATED, busiest_cpu
from fullrate.checks._flow import connections
from fullrate.records.facts.cpu import CgroupThrottling
from fullrate.records.facts.net import ProtocolCounters, TcpSocket
from fullrate.records.finding import Evidence
from fullrate.records.snapshot import Delta
from fullrate.records.trial import Trial
from fullrate.records.units import BitsPerSecond
from fullrate.records.view import EndView, View, WindowView

HELD = 0.20  # of the time data was in flight, as in tcp-buffers-too-small: below it a window is not the limit
_THROTTLED = 0.10  # of the periods, as in cpu-quota
_MOST = 0.95  # never extrapolate a rate beyond twenty times what was seen


@dataclass(frozen=True, slots=True, kw_only=True)
class Count:
    """How much some counters of the kernel grew during a trial, together and one by one."""

    total: int
    evidence: tuple[Evidence, ...]


def counted(window: WindowView, table: str, *names: str) -> Count:
    """The growth of those counters that this kernel has. Raises Missing when it has none of them, or one went back."""
    delta = window.need(ProtocolCounters, table)
    before, after = delta.before.counters, delta.after.counters
    known = [name for name in names if name in before and name in after]
    if not known:
        raise window.end.missing(ProtocolCounters, table)
    grown = {name: growth(window.end, ProtocolCounters, before[name], after[name]) for name in known}
    evidence = tuple(saw(delta.source, name, f"+{size}") for name, size in grown.items() if size)
    return Count(
        total=sum(grown.values()), evidence=evidence or (saw(delta.source, f"{', '.join(known[:2])}, ...", "+0"),)
    )


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
    return busiest_cpu(view, trial, end).busy >= SATURATED


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
