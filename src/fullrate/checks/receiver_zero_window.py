"""The receiver closes its window, and it is not seen that its program is the reason.

It counts the segments in which it advertised, or had to advertise, a window of zero (TcpExtTCPToZeroWindowAdv,
TCPWantZeroWindowAdv; Documentation/networking/snmp_counter.rst). A full queue of a program that reads too slowly, a
program kept from running, memory pressure and a buffer too small for the path are causes of their own.
"""

from fullrate.checks._buffers import buffer_needed, reading, unread
from fullrate.checks._common import clear, is_full, measured, not_applicable, problem, saw, without_tcp
from fullrate.checks._counters import counted
from fullrate.checks._flow import connections
from fullrate.checks._glance import suspect
from fullrate.checks._tcp import HELD, if_not_held, kept_from_running, window_held
from fullrate.records.facts.net import Capture, TcpSocket
from fullrate.records.finding import Ask, Confidence, Finding
from fullrate.records.leaf import Check
from fullrate.records.snapshot import Delta
from fullrate.records.trial import Trial
from fullrate.records.view import View

CAUSE = "receiver-zero-window"
_PRESSURE = "TcpExtTCPMemoryPressures"
_NAMES = ("TcpExtTCPToZeroWindowAdv", "TcpExtTCPWantZeroWindowAdv")


def diagnose(view: View) -> Finding:
    """Whether a closed window caps this direction, for a reason that is not known."""
    if without_tcp(view):
        return not_applicable(CAUSE, "only UDP was sent: it has no window")
    trial, end = view.trial(), view.receiver
    flows = connections(view.window(trial, view.sender))
    share = window_held(view, flows)
    evidence = [saw(flows[0].source, "rwnd_limited", f"{share:.0%} of the time"), measured(trial)]
    if share < HELD or is_full(view, trial):
        return clear(CAUSE, "the receiver's window did not hold the flow back", evidence, end=end.end)
    closed = counted(view.window(trial, end), "netstat", *_NAMES)
    evidence += closed.evidence
    if not closed.total:
        return clear(CAUSE, "the receiver never closed its window", evidence, end=end.end)
    if _known(view, trial, flows):
        return clear(CAUSE, "the window was closed for a reason that is seen", evidence, end=end.end)
    return problem(
        CAUSE,
        f"{end.target or end.end} closes its receive window; why is not seen",
        evidence,
        end=end.end,
        confidence=Confidence.MEDIUM,
        costs_bps=if_not_held(view, trial, share),
    )


def _known(view: View, trial: Trial, flows: tuple[Delta[TcpSocket], ...]) -> bool:
    """Whether one of the special causes holds, as far as the receiver's socket was seen."""
    socket = reading(view, trial)
    if socket is not None:
        small = (socket.after.receive_buffer or 0) < buffer_needed(view, flows)
        if small or unread(view, trial, socket).mostly:
            return True
    pressed = counted(view.window(trial, view.receiver), "netstat", _PRESSURE)
    return pressed.total > 0 or kept_from_running(view, trial, view.receiver)


_AGAIN = 3  # announcements: a reader that pauses once gives one, and a second that answers the probe
_MOSTLY = 0.5  # of the time that a connection had something to send


def glance(view: View) -> Finding | None:
    """A connection that, since it began, its receiver's window held back most of the time."""
    held = [one for one in view.here.all(TcpSocket) if _held(one) >= _MOSTLY]
    if not held:
        return _captured(view)
    most = max(held, key=lambda one: one.receive_window_limited or 0.0)
    seen = saw(view.here.source_of(most), "rwnd_limited of busy", f"{_held(most):.0%}, {most.send_queue:,} bytes wait")
    words = (
        f"the receiver's window held {most.subject or 'a connection'} back for {_held(most):.0%} of the time it sent"
    )
    ask = Ask(
        text="ss -tinm  (on the receiving host, during the transfer: is its Recv-Q full?)", end=view.here.end.other
    )
    return suspect(view, CAUSE, words, [seen], subject=most.subject, asks=(ask,))


def _captured(view: View) -> Finding | None:
    """Packets that somebody showed, in which one end closes its window again and again."""
    shown = view.here.want(Capture)
    if shown is None or shown.closed_windows < _AGAIN:
        return None
    numbers = f"{shown.closed_windows} of {shown.packets} packets shown"
    seen = saw(view.here.source_of(shown), "windows of zero", numbers)
    words = f"{shown.closed_by} announces a window of zero ({numbers}): its program does not read what came"
    ask = Ask(text=f"ss -tinm  (on {shown.closed_by}, during the transfer: is its Recv-Q full?)", end=view.here.end)
    return suspect(view, CAUSE, words, [seen], subject=shown.closed_by, asks=(ask,))


def _held(socket: TcpSocket) -> float:
    return (socket.receive_window_limited or 0.0) / socket.busy if socket.busy else 0.0


CHECK = Check(id=CAUSE, cause=CAUSE, diagnose=diagnose, glance=glance)
