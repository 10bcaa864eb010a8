"""Datagrams reached the receiving host and were discarded because its socket's buffer was full.

The kernel counts them itself: UdpRcvbufErrors, Udp6RcvbufErrors over IPv6 (net/ipv4/udp.c, __udp_queue_rcv_skb). The
program reads too slowly for the rate, or the buffer is too small for its pauses.
"""

from fullrate.checks._common import clear, measured, not_applicable, problem, rate, saw
from fullrate.checks._glance import again, counters, suspect
from fullrate.checks._udp import NOTABLE, arrives, other_traffic, udp_counted, udp_trial
from fullrate.records.facts.net import ProtocolCounters, Sysctl
from fullrate.records.finding import Confidence, Evidence, Finding, Remedy
from fullrate.records.leaf import Check
from fullrate.records.trial import Trial
from fullrate.records.units import BitsPerSecond
from fullrate.records.view import EndView, View

CAUSE = "udp-rcvbuf-overflow"
_DEFAULT = "net.core.rmem_default"  # of sockets whose program sets no size
_MOST = "net.core.rmem_max"  # of sockets whose program does
_LARGER = 8  # times the size found
_OTHERS = 0.03  # of the ceiling, as competing-traffic has it: so much traffic has sockets of its own
_ENOUGH = 16 * 2**20  # as the test asks for at most (records/datagrams): beyond it the program is too slow


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
    evidence = [*dropped.evidence, *read.evidence, measured(trial), *_told(trial)]
    if ratio < NOTABLE:
        return clear(CAUSE, "the receiving socket took what came", evidence, end=end.end)
    if _missed_none(trial) and other_traffic(view, trial) >= _OTHERS * view.ceiling:
        return clear(CAUSE, "another program's socket was full: the test's own missed none", evidence, end=end.end)
    key = _DEFAULT if trial.spec.buffer is None else _MOST
    return problem(
        CAUSE,
        f"{ratio:.1%} of the datagrams arrived on {end.target or end.end} and found their socket's buffer full",
        evidence,
        end=end.end,
        subject=key,
        confidence=Confidence.HIGH,
        costs_bps=0.0 if _missed_none(trial) else _cost(view, trial, ratio),
        remedies=_remedies(end, key),
    )


def _told(trial: Trial) -> tuple[Evidence, ...]:
    """What the receiving program says that it missed."""
    ratio = trial.engine.lost_ratio if trial.engine is not None else None
    return () if ratio is None else (saw(f"trial/{trial.id}", "lost_ratio", f"{ratio:.2%}"),)


def _missed_none(trial: Trial) -> bool:
    """Whether the receiving program says that it missed nothing that matters: the counter is another program's too."""
    return trial.engine is not None and trial.engine.lost_ratio is not None and arrives(trial)


def _cost(view: View, trial: Trial, ratio: float) -> BitsPerSecond:
    """What was discarded, beside what was read."""
    return view.ceiling if ratio >= 1 else min(view.ceiling, rate(trial) * ratio / (1 - ratio))


def _remedies(end: EndView, key: str) -> tuple[Remedy, ...]:
    found = end.want(Sysctl, key)
    if found is None or not found.numbers or found.numbers[0] >= _ENOUGH:
        return ()
    size = _LARGER * found.numbers[0]
    whom = "of every program that sets no size itself" if key == _DEFAULT else "of programs that ask for as much"
    return (
        Remedy(
            knob=f"sysctl.{key}",
            subject=key,
            value=str(size),
            end=end.end,
            commands=(f"sysctl -w {key}={size}",),
            undo=(f"sysctl -w {key}={found.value}",),
            note=f"bridges pauses of the program, does not make it faster; holds for new sockets {whom}",
        ),
    )


_MANY = 1000  # datagrams: a few are lost whenever a program starts


def glance(view: View) -> Finding | None:
    """The datagrams that the host counts as refused by full socket buffers."""
    found = counters(view, ProtocolCounters)
    dropped, read = found.get("UdpRcvbufErrors"), found.get("UdpInDatagrams")
    if dropped is None or dropped.value < (1 if dropped.twice else _MANY):
        return None
    if read is not None and read.twice is dropped.twice and dropped.value < NOTABLE * read.value:
        return None
    words = f"{dropped.value:,} datagrams found their socket's buffer full, {dropped.when}"
    seen = [dropped.evidence, *([read.evidence] if read else [])]
    asks = again(view, "nstat -az UdpRcvbufErrors UdpInDatagrams", "ss -uamn")
    return suspect(view, CAUSE, words, seen, subject=_DEFAULT, asks=asks, remedies=_remedies(view.here, _DEFAULT))


CHECK = Check(id=CAUSE, cause=CAUSE, diagnose=diagnose, glance=glance)
