"""The receiving program reads too slowly, although it could run: its socket's queue is full.

The sender's kernel counts how long the receiver's window held it back (tcpi_rwnd_limited); the receiver's shows what
lies unread. A program that a CPU quota or a saturated CPU keeps from running is not at fault.
"""

from fullrate.checks._buffers import least_buffer, reading, unread
from fullrate.checks._common import clear, is_full, measured, not_applicable, problem, saw, without_tcp
from fullrate.checks._flow import connections
from fullrate.checks._glance import again, suspect
from fullrate.checks._tcp import HELD, if_not_held, kept_from_running, window_held
from fullrate.records.facts.net import TcpSocket
from fullrate.records.finding import Confidence, Evidence, Finding
from fullrate.records.leaf import Check
from fullrate.records.trial import Trial
from fullrate.records.units import Bytes
from fullrate.records.view import View

CAUSE = "app-not-draining-socket"


def diagnose(view: View) -> Finding:
    """Whether the receiving program caps this direction."""
    if without_tcp(view):
        return not_applicable(CAUSE, "only UDP was sent: it has no window")
    trial, end = view.trial(), view.receiver
    flows = connections(view.window(trial, view.sender))
    share = window_held(view, flows)
    evidence = [saw(flows[0].source, "rwnd_limited", f"{share:.0%} of the time"), measured(trial)]
    if share < HELD or is_full(view, trial):
        return clear(CAUSE, "the receiver's window did not hold the flow back", evidence, end=end.end)
    return _judge(view, trial, len(flows), share, evidence)


def _judge(view: View, trial: Trial, flows: int, share: float, evidence: list[Evidence]) -> Finding:
    end, socket = view.receiver, reading(view, trial)
    if socket is None:
        raise end.missing(TcpSocket)
    left = unread(view, trial, socket)
    evidence.append(left.evidence)
    if not left.mostly:
        return clear(CAUSE, "the receiving program reads what comes", evidence, end=end.end)
    if (socket.after.receive_buffer or 0) < least_buffer(view, flows):
        return clear(CAUSE, "the buffer is so small that any program leaves half of it unread", evidence, end=end.end)
    if kept_from_running(view, trial, end):
        return clear(CAUSE, "the receiving program was kept from running", evidence, end=end.end)
    return problem(
        CAUSE,
        f"the program on {end.target or end.end} reads too slowly: data lies in its socket while its CPU is free",
        evidence,
        end=end.end,
        subject=socket.after.subject,
        confidence=Confidence.HIGH,
        costs_bps=if_not_held(view, trial, max(share, left.share)),
    )


# A fast flow that is read in time leaves 350 kB for a moment, 3 to 15 % of its buffer (measured, 10 Gbit/s); a program
# that stopped leaves as much as the window allows, which is half of the buffer or more (tcp_win_from_space).
_MOSTLY = 0.5
_UNREAD: Bytes = 131_072  # in each of several sockets whose buffers are not shown
_MUCH: Bytes = 1_048_576  # in one such
_OPEN = {"ESTAB", "CLOSE-WAIT"}


def glance(view: View) -> Finding | None:
    """Sockets in which much lay unread when somebody looked."""
    left = [one for one in view.here.all(TcpSocket) if one.state in _OPEN and one.recv_queue >= _UNREAD]
    full = [one for one in left if one.receive_buffer and one.recv_queue >= _MOSTLY * one.receive_buffer]
    unsized = [one for one in left if one.receive_buffer is None]
    if not full and len(unsized) == 1 and unsized[0].recv_queue < _MUCH:
        return None
    most = max(full or unsized, key=lambda one: one.recv_queue, default=None)
    if most is None:
        return None
    seen = [saw(view.here.source_of(one), f"Recv-Q of {one.subject}", one.recv_queue) for one in full or unsized]
    words = f"{most.recv_queue:,} bytes lay unread in a socket ({most.subject}) when somebody looked"
    sure = Confidence.MEDIUM if full else Confidence.LOW
    asks = again(view, "ss -tinm", "top -bn1")
    return suspect(view, CAUSE, words, seen, subject=most.subject, confidence=sure, asks=asks)


CHECK = Check(id=CAUSE, cause=CAUSE, diagnose=diagnose, glance=glance)
