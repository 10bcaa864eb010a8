"""One run of iperf or iperf3 from what one of its ends printed: its steps, its totals, who sent."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from fullrate.generators._iperf3_document import Step, Sum
from fullrate.generators._row import Row
from fullrate.generators._tables import Table, rows_of, table_of
from fullrate.generators._words import Words, words_of
from fullrate.records.ends import Direction
from fullrate.records.trial import TrialKind, TrialSpec
from fullrate.records.units import BitsPerSecond, Bytes, Seconds

_REVERSE_ROLES = {"RX-C", "TX-S", "*"}
# What a UDP stream sends unless -b says otherwise: UDP_RATE in src/iperf.h of iperf3, kDefault_UDPRate of iperf 2
UDP_RATE: BitsPerSecond = 1024 * 1024
_SECONDS = 10  # -t unless it is said, of both (DURATION in src/iperf.h)


@dataclass(frozen=True, slots=True, kw_only=True)
class Printed:
    """What one end printed of one run in one direction; `sent` and `received` are its totals by side."""

    words: Words
    udp: bool
    reverse: bool  # the listening end sends
    streams: int
    steps: tuple[Step, ...] = ()
    sent: Sum | None = None
    received: Sum | None = None
    total: Sum | None = None  # by a row that names no side

    @classmethod
    def nothing(cls, *, serves: bool) -> "Printed":
        """What an end printed whose text is not there."""
        return cls(words=replace(words_of(""), serves=serves), udp=False, reverse=False, streams=1)

    @property
    def local(self) -> str | None:
        """The printing end's address."""
        return next((one.local for one in self.words.connections), None)

    @property
    def remote(self) -> str | None:
        """The other end's address."""
        return next((one.remote for one in self.words.connections), None)

    @property
    def sends(self) -> bool:
        """Whether the end that printed it is the sender."""
        return self.reverse is self.words.serves

    @property
    def seconds(self) -> Seconds:
        """When its last row ends."""
        rows = (self.sent, self.received, self.total, *(step.sum for step in self.steps))
        return max((row.end or 0.0 for row in rows if row is not None), default=0.0)

    @property
    def spec(self) -> TrialSpec:
        """The trial it tells of, the client being the near end."""
        return TrialSpec(
            kind=TrialKind.BULK,
            direction=Direction.FAR_TO_NEAR if self.reverse else Direction.NEAR_TO_FAR,
            protocol="udp" if self.udp else "tcp",
            streams=self.streams,
            rate=self._rate,
            datagram=self._datagram,
            max_seconds=self.words.seconds or round(self.seconds) or _SECONDS,
            buffer=self._buffer,
        )

    @property
    def _datagram(self) -> Bytes | None:
        """The size that the client's command names."""
        command = self.words.command
        named = command.length if command and self.udp and not command.serves else None
        return None if named is None else int(named)

    @property
    def _buffer(self) -> Bytes | None:
        command = self.words.command
        return round(command.window) if command and command.window else None

    @property
    def _rate(self) -> BitsPerSecond | None:
        command = self.words.command
        if command is None or command.serves or command.rate == 0:
            return None
        each = command.rate or (UDP_RATE if self.udp else None)
        return None if each is None else each * self.streams


def printed(text: str) -> Printed:
    """What the text of one run tells; of both directions at once the client's, unless it holds only the other."""
    words = words_of(text)
    forward, backward = directions(rows_of(text), words)
    rows = [row for row in (forward or backward) if not row.omitted]
    table = table_of(rows)
    udp = words.udp or any(row.packets is not None for row in rows)
    return Printed(
        words=words,
        udp=udp,
        reverse=bool(backward and not forward) or words.reverse or _told_by_columns(table, words),
        streams=_streams(rows, words),
        steps=tuple(table.steps(udp=udp)),
        sent=table.total("sender", udp=udp),
        received=table.total("receiver", udp=udp),
        total=table.total("", udp=udp),
    )


def directions(rows: Iterable[Row], words: Words) -> tuple[list[Row], list[Row]]:
    """The rows that are marked as what the listening end sends (--bidir, -d, -r, --full-duplex) after the others."""
    answered = {one.stream for one in words.connections if one.reverse or (one.accepted and not words.serves)}
    found: tuple[list[Row], list[Row]] = ([], [])
    for row in rows:
        found[row.role in _REVERSE_ROLES or row.stream in answered].append(row)
    return found


def _told_by_columns(table: Table, words: Words) -> bool:
    """Whether the listening end sends, by the columns: only a sender counts retransmits, only a receiver jitter.

    A sender of macOS or Windows counts no retransmits, but then its total has none either.
    """
    counts = any(row.count is not None for row in table.intervals)
    if words.serves:
        return counts
    receives = any(row.jitter is not None for row in table.intervals)
    resent = any(row.count is not None for row in table.totals if row.side == "sender")
    return bool(table.intervals) and not counts and (receives or resent)


def _streams(rows: Sequence[Row], words: Words) -> int:
    """How many there were; where rows say only that there were several, two."""
    seen = len({row.stream for row in rows if not row.total})
    return max(seen, words.streams or 0, 2 if any(row.total for row in rows) else 1)
