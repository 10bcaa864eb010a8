"""Segments that were sent again for nothing, as the receiver told, because packets overtook each other."""

import math
import statistics
from dataclasses import dataclass

from fullrate.checks._loss import Loss
from fullrate.records.facts.net import TcpSocket
from fullrate.records.snapshot import increase
from fullrate.records.trial import Trial
from fullrate.records.units import BITS_PER_BYTE, BitsPerSecond
from fullrate.records.view import View

NEEDLESS = 0.5  # of what was sent again: with so much of it reported twice, the packets were late and not lost
_IN_FLIGHT = 0.9  # of the congestion window: what is left is less than TCP sends at once
_LIMITED = 0.5  # of the samples


@dataclass(frozen=True, slots=True, kw_only=True)
class Reordering:
    """What the sender's kernel counted on the test's connections; None: it does not count that."""

    again: int | None  # segments the receiver got twice (tcpi_dsack_dups)
    seen: int | None  # times packets came out of order (tcpi_reord_seen)
    ever: int | None  # the same since the connections began
    share: float  # of the retransmits that were needless

    @property
    def proven(self) -> bool:
        """Whether both counters say so."""
        return bool(self.seen) and self.share >= NEEDLESS


def reordering(found: Loss) -> Reordering:
    """What a trial's retransmits were for."""
    again = _sum([_grown(flow.before.duplicate_sacks, flow.after.duplicate_sacks) for flow in found.connections])
    seen = _sum([_grown(flow.before.reordering_seen, flow.after.reordering_seen) for flow in found.connections])
    ever = _sum([flow.after.reordering_seen for flow in found.connections])
    share = min(1.0, again / found.segments) if again and found.segments else 0.0
    return Reordering(again=again, seen=seen, ever=ever, share=share)


@dataclass(frozen=True, slots=True, kw_only=True)
class Cut:
    """A congestion window that was cut for nothing early on, and grew back slowly while packets overtook each other."""

    again: int  # segments sent again since the connection began
    needless: int  # of these, that the receiver reported twice
    holds: BitsPerSecond  # what the congestion window let pass, on average
    limited: float  # share of the samples in which all of it was in flight

    @property
    def proven(self) -> bool:
        """Whether the cut was needless, and the window is what holds the flows back."""
        return 0 < self.again <= self.needless / NEEDLESS and self.limited >= _LIMITED


def cut(view: View, trial: Trial, found: Loss) -> Cut:
    """What a trial's flows show of it, however few segments were sent again. Raises Missing."""
    window = view.window(trial, view.sender)
    courses = [window.course(TcpSocket, flow.after.identity) for flow in found.connections]
    again = _sum([flow.after.retransmits for flow in found.connections])
    needless = _sum([flow.after.duplicate_sacks for flow in found.connections])
    if again is None or needless is None or not all(courses):
        raise view.sender.missing(TcpSocket)
    samples = [sample for course in courses for sample in course]
    holds = sum(statistics.fmean(map(_allows, course)) for course in courses)
    return Cut(again=again, needless=needless, holds=holds, limited=sum(map(_spent, samples)) / len(samples))


def _spent(socket: TcpSocket) -> bool:
    """Whether the whole congestion window is in flight."""
    return (socket.unacknowledged or 0) >= _IN_FLIGHT * (socket.congestion_window or math.inf)


def _allows(socket: TcpSocket) -> BitsPerSecond:
    """One congestion window each round trip."""
    size = (socket.congestion_window or 0) * (socket.mss or 0) * BITS_PER_BYTE
    return size / socket.rtt if socket.rtt else 0.0


def _grown(before: int | None, after: int | None) -> int | None:
    return None if before is None or after is None else increase(before, after)


def _sum(parts: list[int | None]) -> int | None:
    known = [part for part in parts if part is not None]
    return sum(known) if known and len(known) == len(parts) else None
