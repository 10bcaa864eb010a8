"""Segments that were sent again for nothing, as the receiver told, because packets overtook each other."""

from dataclasses import dataclass

from fullrate.checks._loss import Loss
from fullrate.records.facts.net import TcpSocket
from fullrate.records.snapshot import Delta, increase

NEEDLESS = 0.5  # of what was sent again: with so much of it reported twice, the packets were late and not lost


@dataclass(frozen=True, slots=True, kw_only=True)
class Reordering:
    """What the sender's kernel counted on the test's connections; None: it does not count that."""

    again: int | None  # segments the receiver got twice (tcpi_dsack_dups)
    seen: int | None  # times packets came out of order (tcpi_reord_seen)
    share: float  # of the retransmits that were needless

    @property
    def proven(self) -> bool:
        """Whether both counters say so."""
        return bool(self.seen) and self.share >= NEEDLESS


def reordering(found: Loss) -> Reordering:
    """What a trial's retransmits were for."""
    again = _sum([_grown(flow.before.duplicate_sacks, flow.after.duplicate_sacks) for flow in found.connections])
    seen = _sum([_grown(flow.before.reordering_seen, flow.after.reordering_seen) for flow in found.connections])
    share = min(1.0, again / found.segments) if again and found.segments else 0.0
    return Reordering(again=again, seen=seen, share=share)


def spread(flow: Delta[TcpSocket]) -> int | None:
    """How often packets of one connection came out of order; None when its kernel does not count it."""
    return _grown(flow.before.reordering_seen, flow.after.reordering_seen)


def _grown(before: int | None, after: int | None) -> int | None:
    return None if before is None or after is None else increase(before, after)


def _sum(parts: list[int | None]) -> int | None:
    known = [part for part in parts if part is not None]
    return sum(known) if known and len(known) == len(parts) else None
