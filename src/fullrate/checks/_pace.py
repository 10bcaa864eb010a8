"""Whether an end of a UDP test kept pace: it sent what it was to send, or took what came to it.

UDP does not wait for its receiver, and nothing it loses on the way slows it down. So a busy CPU costs a UDP test only
the datagrams that its end did not send, or that came and were discarded for want of room: in the backlog or the socket.
"""

from fullrate.checks._common import growth, link_delta
from fullrate.checks._udp import NOTABLE, arrives, lost, udp_counted
from fullrate.records.facts.cpu import Softnet
from fullrate.records.facts.link import LinkCounters
from fullrate.records.trial import Trial
from fullrate.records.view import EndView, View

_REACHED = 0.98  # of the rate that was asked for, as iperf3-udp-sender-cpu has it


def at_pace(view: View, trial: Trial, end: EndView) -> bool:
    """Whether one end of a UDP trial did its part. Raises Missing."""
    if end.end is not view.sender.end:
        return arrives(trial) or _room_for_all(view, trial)
    asked = trial.spec.rate
    return asked is not None and lost(view, trial).rate >= _REACHED * min(asked, view.ceiling)


def _room_for_all(view: View, trial: Trial) -> bool:
    """Whether the receiver discarded less than matters of what came to it."""
    end = view.receiver
    window, link = view.window(trial, end), link_delta(view, trial, end)
    backlogs = window.deltas(Softnet)
    if not backlogs:
        raise end.missing(Softnet)
    dropped = sum(growth(end, Softnet, one.before.dropped, one.after.dropped) for one in backlogs)
    dropped += growth(end, LinkCounters, link.before.rx_dropped, link.after.rx_dropped)
    dropped += udp_counted(view, trial, end, "UdpRcvbufErrors").total
    return dropped < NOTABLE * lost(view, trial).sent
