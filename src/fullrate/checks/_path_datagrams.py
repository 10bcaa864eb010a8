"""Whether the datagrams that a UDP test misses were lost between the hosts: what no counter of a host accounts for.

The sender's filter, queue and link, the receiver's link, backlog, filter and socket count what they discard; fragments
that were never whole again count as those of one datagram.
"""

from fullrate.checks import _udp
from fullrate.checks._common import clear, measured, mtu, problem, rate, saw, unknown, version
from fullrate.checks._drops import Drop, local_drops
from fullrate.checks._filters import unseen
from fullrate.checks._fragments import SELECTIVE, fragments
from fullrate.checks._udp import NOTABLE, Lost
from fullrate.records.facts.net import EchoProbe
from fullrate.records.finding import Confidence, Evidence, Finding
from fullrate.records.probes import largest_echo
from fullrate.records.trial import Trial
from fullrate.records.view import View

CAUSE = "path-loss"
_EXPLAINED = 0.5  # of the datagrams, as for TCP: with so many found on a host, the path is not the cause
_CROWDED = 0.2  # of the ceiling, as competing-traffic has it
_STALLED = 0.02  # of the ceiling, as mtu-blackhole has it
_SURE = 0.01  # ten times what matters; no host's counter that is read late makes up for so much


def datagrams_lost(view: View, trial: Trial) -> Finding:
    """Whether the path loses datagrams of this direction. Raises Missing."""
    found = _udp.lost(view, trial)
    evidence = [*found.evidence, measured(trial)]
    if found.ratio < NOTABLE:
        return clear(CAUSE, f"{found.ratio:.2%} of the datagrams lost: nothing that matters", evidence)
    if _udp.overfills(view, trial):
        return clear(CAUSE, "more was sent than the link carries, and it is full: the rest had to be dropped", evidence)
    other = _udp.other_traffic(view, trial)
    if other >= _CROWDED * view.ceiling:
        evidence.append(saw(f"trial/{trial.id}", "other traffic on the link, bit/s", round(other)))
        return clear(CAUSE, "the link carries other traffic: a full queue on the way drops what is too much", evidence)
    if fragments(view, trial).torn >= SELECTIVE:
        return clear(CAUSE, "the datagrams travel in fragments, and it is fragments that are lost", evidence)
    if rate(trial) < _STALLED * view.ceiling and not _large_ones_pass(view):
        return unknown(CAUSE, "next to nothing arrives: it may be that large packets vanish, see there", evidence)
    return _located(view, trial, found, evidence)


def _large_ones_pass(view: View) -> bool:
    """Whether an echo request as large as the link's packets was answered. Raises Missing."""
    large = largest_echo(mtu(view), version=version(view))
    probe = view.sender.want(EchoProbe, f"{view.receiver.address} {large}")
    return probe is not None and probe.received > 0


def _located(view: View, trial: Trial, found: Lost, evidence: list[Evidence]) -> Finding:
    drops = (*local_drops(view, trial), *_socket(view, trial))
    evidence += [drop.evidence for drop in drops]
    if sum(drop.segments for drop in drops) >= _EXPLAINED * found.datagrams:
        worst = max(drops, key=lambda drop: drop.segments)
        where = f"{worst.place} on {worst.end.interface}"
        return clear(CAUSE, f"the lost datagrams were dropped on a host, not on the path: {where}", evidence)
    hidden = [ask for end in (view.sender, view.receiver) for ask in unseen(view, trial, end)]
    if hidden:
        why = "datagrams are lost, and not every filter rule could be read or counts"
        return unknown(CAUSE, why, evidence, asks=tuple(hidden))
    return problem(
        CAUSE,
        f"{found.ratio:.2%} of the datagrams are lost between the hosts; neither host dropped them",
        evidence,
        subject="path",
        confidence=Confidence.HIGH if found.ratio >= _SURE else Confidence.MEDIUM,
        costs_bps=_udp.cost(view, found),
    )


def _socket(view: View, trial: Trial) -> tuple[Drop, ...]:
    """What the receiver's sockets discarded: for want of room, or because a checksum was wrong."""
    found = _udp.udp_counted(view, trial, view.receiver, "UdpInErrors")
    return (Drop(place="socket", end=view.receiver, segments=found.total, evidence=found.evidence[0]),)
