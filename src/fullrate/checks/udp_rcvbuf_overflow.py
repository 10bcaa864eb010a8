"""Datagrams reached the receiving host and were discarded because its socket's buffer was full.

The kernel counts them itself: UdpRcvbufErrors, Udp6RcvbufErrors over IPv6 (net/ipv4/udp.c, __udp_queue_rcv_skb). The
program reads too slowly for the rate, or the buffer is too small for its pauses.
"""

from fullrate.checks._common import clear, is_full, measured, not_applicable, problem, rate, saw
from fullrate.checks._udp import NOTABLE, arrives, udp_counted, udp_trial
from fullrate.records.facts.net import ProtocolCounters, Sysctl
from fullrate.records.finding import Confidence, Finding, Remedy
from fullrate.records.leaf import Check
from fullrate.records.view import EndView, View

CAUSE = "udp-rcvbuf-overflow"
_KEY = "net.core.rmem_default"  # of sockets whose program sets no size
_LARGER = 8  # times the size found


def diagnose(view: View) -> Finding:
    """Whether full socket buffers discard what this direction carries by UDP."""
    trial, end = udp_trial(view), view.receiver
    if trial is None:
        return not_applicable(CAUSE, "no UDP was sent")
    dropped = udp_counted(view, trial, end, "UdpRcvbufErrors")
    read = udp_counted(view, trial, end, "UdpInDatagrams")
    arrived = dropped.total + read.total
    if not arrived:
        raise end.missing(ProtocolCounters)
    ratio = dropped.total / arrived
    evidence = [*dropped.evidence, *read.evidence, measured(trial)]
    if trial.engine is not None and trial.engine.lost_ratio is not None:
        evidence.append(saw(f"trial/{trial.id}", "lost_ratio", f"{trial.engine.lost_ratio:.2%}"))
    if ratio < NOTABLE:
        return clear(CAUSE, "the receiving socket took what came", evidence, end=end.end)
    return problem(
        CAUSE,
        f"{ratio:.1%} of the datagrams arrived on {end.target or end.end} and found their socket's buffer full",
        evidence,
        end=end.end,
        subject=_KEY,
        confidence=Confidence.HIGH,
        costs_bps=0.0 if is_full(view, trial) and arrives(trial) else ratio * rate(trial),
        remedies=_remedies(end),
    )


def _remedies(end: EndView) -> tuple[Remedy, ...]:
    found = end.want(Sysctl, _KEY)
    if found is None or not found.numbers:
        return ()
    size = _LARGER * found.numbers[0]
    return (
        Remedy(
            knob=f"sysctl.{_KEY}",
            subject=_KEY,
            value=str(size),
            end=end.end,
            commands=(f"sysctl -w {_KEY}={size}",),
            undo=(f"sysctl -w {_KEY}={found.value}",),
            note="bridges pauses of the program, does not make it faster; holds for new sockets of every program that"
            " sets no size itself",
        ),
    )


CHECK = Check(id=CAUSE, cause=CAUSE, diagnose=diagnose)
