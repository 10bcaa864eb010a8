"""What a running job looks like just now, as lines for a terminal that is so wide and so high. Pure.

    measuring tcp 1 flow near to far, port 5201  3 of about 5 s
                near: lab:a, wire0                far: lab:b, wire0
      rate      sends 372.9 Mbit/s ▅▆▃█▇▄█        receives 371.2 Mbit/s ▅▆▃█▇▄█
      busiest   CPU 1 9 %, softirq 2 %            CPU 1 99 %, softirq 97 %
      resent    1,300 segments/s                  0
      dropped   none at link, backlog or socket   1,204/s at the backlog
    so far: far to near 941.5 Mbit/s
    suspect: netfilter-drop (sure: high): a filter rule on lab:b discards packets

A course has one character for each look, two a second; both ends have one scale.
"""

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from fullrate.records.ends import Direction, End
from fullrate.records.event import AnyEvent, Cpu, Drops, Measured, PhaseBegan, Sampled, Suspected
from fullrate.records.units import BitsPerSecond, Seconds
from fullrate.report.layout import Line, Style
from fullrate.report.spark import highest, spark
from fullrate.report.width import clipped, padded
from fullrate.report.words import count, rate

_LABEL = 10  # columns of a row's name
_REMEMBERED = 60  # looks, two a second
_PLACES = {
    "socket": "at a full socket",
    "backlog": "at the backlog",
    "link_rx": "at the link (rx)",
    "link_tx": "at the link (tx)",
    "link_errors": "at the link (errors)",
}
_Figure = Callable[[Sampled], BitsPerSecond | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Row:
    """One line; those of the highest rank go first when there is little room."""

    rank: int
    line: Line


@dataclass(slots=True, kw_only=True)
class Board:
    """What was told so far, as far as it is shown."""

    phase: PhaseBegan | None = None
    suspected: Suspected = field(default_factory=Suspected)
    measured: dict[str, Measured] = field(default_factory=dict)
    seen: dict[End, deque[Sampled]] = field(default_factory=dict)

    def take(self, event: AnyEvent) -> None:
        """Remember what is shown of an event."""
        match event:
            case PhaseBegan():
                self.phase = event
                self.seen.clear()
            case Sampled():
                self.seen.setdefault(event.end, deque(maxlen=_REMEMBERED)).append(event)
            case Suspected():
                self.suspected = event
            case Measured():
                self.measured[event.measurement] = event
            case _:
                pass

    def line(self, elapsed: Seconds, width: int) -> str:
        """All of it in one line: what is being done, for how long, and the rate."""
        return clipped("  ".join(filter(None, (self._headline(elapsed), self._figure()))), width)

    def _headline(self, elapsed: Seconds) -> str:
        if self.phase is None:
            return ""
        expected = self.phase.seconds
        return self.phase.name + (f"  {elapsed:.0f} of about {expected:.0f} s" if expected >= 1 else "")

    def _figure(self) -> str:
        """The rate that arrives, or is sent where nobody looks at the receiver; empty before it is known."""
        latest = [seen[-1] for seen in self.seen.values()]
        latest.sort(key=lambda one: one.end is not one.direction.receiver)
        known = [found for one in latest if (found := _payload(one)) is not None]
        return rate(known[0]) if known else ""

    def lines(self, elapsed: Seconds, width: int, height: int, *, blocks: bool) -> list[Line]:
        """At most so many lines, none of them wider."""
        rows = [_row(0, clipped(self._headline(elapsed), width), Style.HEADING)] if self.phase else []
        rows += self._table(width, blocks=blocks)
        rows += [_row(7, clipped(text, width)) for text in self._so_far()]
        rows += [_row(2, clipped(text, width), Style.OPEN) for text in self._suspect()]
        kept = sorted(sorted(range(len(rows)), key=lambda number: rows[number].rank)[: max(0, height)])
        return [rows[number].line for number in kept]

    def _table(self, width: int, *, blocks: bool) -> list[_Row]:
        """Both ends side by side."""
        ends = [end for end in End if self.seen.get(end)]
        if not ends:
            return []
        latest = [self.seen[end][-1] for end in ends]
        column = (width - 2 - _LABEL) // len(ends) - 2
        rates = [
            (0, name, [self._course(end, of, column, blocks=blocks) for end in ends]) for name, of in _rates(latest)
        ]
        texts = [
            (3, "", [_name(one) for one in latest]),
            *rates,
            (6, "busiest", [_cpus(one.cpus, column) for one in latest]),
            (5, "resent", [_resent(one) for one in latest]),
            (4, "dropped", [_dropped(one.drops, column) for one in latest]),
        ]
        return [_row(rank, clipped(_columns(name, cells, column).rstrip(), width)) for rank, name, cells in texts]

    def _course(self, end: End, of: _Figure, width: int, *, blocks: bool) -> str:
        """The rate just now, and how it went, by one scale for all ends."""
        latest = self.seen[end][-1]
        text = f"{_verb(latest)}{_rate(of(latest))} "
        room = max(0, width - len(text))
        known = [of(one) for one in self.seen[end]][-room:] if room else []
        top = highest(
            found for seen in self.seen.values() for one in seen for found in (one.sent_bps, one.received_bps)
        )
        return text + spark(known, top, blocks=blocks)

    def _so_far(self) -> list[str]:
        known = [result(one) for one in self.measured.values() if one.throughput_bps is not None]
        return [f"so far: {', '.join(known)}"] if known else []

    def _suspect(self) -> list[str]:
        return [suspicion(self.suspected)] if self.suspected.cause else []


def _row(rank: int, text: str, style: Style = Style.PLAIN) -> _Row:
    return _Row(rank=rank, line=Line(text=text.rstrip(), style=style))


def _columns(name: str, cells: Iterable[str], width: int) -> str:
    shown = (padded(clipped(cell, width), width) for cell in cells)
    return "  " + padded(name, _LABEL) + "  ".join(shown)


def _rates(latest: Sequence[Sampled]) -> list[tuple[str, _Figure]]:
    """One row of rates; of a test both ways one each."""
    if any(one.direction is Direction.BOTH for one in latest):
        return [("sends", lambda one: one.sent_bps), ("receives", lambda one: one.received_bps)]
    return [("rate", _payload)]


def _payload(one: Sampled) -> BitsPerSecond | None:
    """What the end sends or receives, by its role."""
    return one.sent_bps if one.end is one.direction.sender else one.received_bps


def _verb(one: Sampled) -> str:
    if one.direction is Direction.BOTH:
        return ""
    return "sends " if one.end is one.direction.sender else "receives "


def _rate(bps: BitsPerSecond | None) -> str:
    return "-" if bps is None else rate(bps)


def _name(one: Sampled) -> str:
    return f"{one.end}: {', '.join(filter(None, (one.host, one.link)))}"


def _cpus(cpus: Iterable[Cpu], width: int) -> str:
    return _fitting(
        [f"CPU {one.number} {one.busy:.0%}, softirq {one.softirq:.0%}".replace("%", " %") for one in cpus], width
    )


def _resent(one: Sampled) -> str:
    resent = one.retransmits_per_second
    return "-" if resent is None else f"{resent:,.0f} segments/s" if round(resent) else "0"


def _dropped(drops: Sequence[Drops], width: int) -> str:
    return (
        _fitting([f"{one.per_second:,.0f}/s {_PLACES.get(one.place, one.place)}" for one in drops], width)
        or "none at link, backlog or socket"
    )


def _fitting(parts: Sequence[str], width: int) -> str:
    """As many of the parts as there is room for; always the first."""
    shown = "".join(parts[:1])
    for part in parts[1:]:
        if len(shown) + 2 + len(part) > width:
            break
        shown += f"; {part}"
    return shown


def result(one: Measured) -> str:
    """A measurement in a few words: `near to far 941.5 Mbit/s`."""
    way = "both ways" if one.direction is Direction.BOTH else f"{one.direction.sender} to {one.direction.receiver}"
    flows = "" if one.streams == 1 else f" {count(one.streams, 'flow')}"
    return f"{way}{flows} {_rate(one.throughput_bps.median if one.throughput_bps else None)}"


def suspicion(one: Suspected) -> str:
    """The cause that is named so far, in one line."""
    if one.cause is None:
        return "no suspect any more"
    return f"suspect: {one.cause} (sure: {one.confidence}): {one.sentence}"
