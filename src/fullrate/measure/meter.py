"""What one end's sampler shows of a trial while its frames come in: each frame is read once. Pure."""

import functools
import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto

from fullrate.measure import series as samples
from fullrate.measure.series import Parse
from fullrate.records.carrier import MOST
from fullrate.records.evidence import Request, parse_request
from fullrate.records.facts.base import Fact
from fullrate.records.facts.link import LinkCounters
from fullrate.records.facts.net import TcpSocket
from fullrate.records.frames import Frame, read_frames
from fullrate.records.goodput import headers_per_frame, ip_version
from fullrate.records.leaf import Source
from fullrate.records.trial import Sample
from fullrate.records.units import BitsPerSecond, Bytes, Seconds
from fullrate.registry import LeafFailure, call_leaf

FLOW_GAP = 0.02  # link and flow counters agree within this; above it the link carries something else


class Counter(Enum):
    """What a series was counted by."""

    RECEIVED = auto()  # the receiver's link, or its sockets
    ACKNOWLEDGED = auto()  # the sender's sockets
    SENT = auto()  # the sender's link
    PROGRAM = auto()  # the receiver's link, as far as the traffic program says that it was the test's


@dataclass(frozen=True, slots=True, kw_only=True)
class Flow:
    """The payload over time, by one end's kernel; `other` is what else the receiver's link carried on average."""

    series: tuple[Sample, ...] = ()
    by: Counter = Counter.RECEIVED
    other: BitsPerSecond | None = None
    started: Seconds = 0.0  # of the first sample, from the first frame
    ended: Seconds = 0.0
    longest_gap: Seconds = 0.0  # between two frames


@dataclass(slots=True, kw_only=True)
class Meter:
    """One end's counters so far; `link_missing` is how long the latest frames have listed links without this one."""

    link: str
    overhead: Bytes
    links: Mapping[int, Parse]  # by reading number: how to read link counters
    sockets: Mapping[int, Parse]  # the same for TCP sockets
    sends: bool = False  # this is the sender, and nobody looks at the receiver
    algorithms: set[str] = field(default_factory=set)  # congestion control, as its sockets named it
    link_missing: Seconds = 0.0
    _by_link: list[Sample] = field(default_factory=list)
    _by_flow: list[Sample] = field(default_factory=list)
    _first: Seconds = 0.0
    _link_at: Seconds = 0.0
    _gap: Seconds = 0.0
    _last: tuple[Frame, ...] = ()  # the latest frame, once there is one

    def add(self, data: bytes) -> None:
        """Read the whole frames in `data`, which follow those read before. Raises FormatError on damage."""
        new = tuple(read_frames(data))
        if not new:
            return
        if not self._last:
            self._first = self._link_at = new[0].monotonic
        frames = self._last + new
        self._by_link += samples.link_series(frames, self.links, self.link, overhead=self.overhead, sends=self.sends)
        self._by_flow += samples.socket_series(frames, self.sockets, sends=self.sends)
        for before, frame in itertools.pairwise(frames):
            self._gap = max(self._gap, frame.monotonic - before.monotonic)
        for frame in new:
            self._look(frame)
        self._last = new[-1:]

    @property
    def latest(self) -> Frame | None:
        """The newest frame."""
        return self._last[-1] if self._last else None

    @property
    def silent(self) -> Seconds:
        """For how long by now the link has received nothing at all."""
        return sum(one.seconds for one in itertools.takewhile(lambda one: not one.throughput, reversed(self._by_link)))

    def flow(self) -> Flow:
        """The series by the link's counters, or by the test's sockets where the link carried more, or not the flow.

        A sender's sockets know what arrived, so there they come first; its link also counts what was sent again.
        """
        by_link, by_flow = samples.active(self._by_link), samples.active(self._by_flow)
        span = by_flow or by_link
        if not span:
            return Flow(longest_gap=self._gap)
        started, ended = span[0].at - span[0].seconds, span[-1].at
        link, flow = _mean([one for one in by_link if started < one.at <= ended]), _mean(by_flow)
        alike = flow * MOST <= link <= flow * (1 + FLOW_GAP)  # else it carried more, or the flow passed by another
        by_sockets = bool(by_flow) and (self.sends or not alike or not by_link)
        return Flow(
            series=by_flow if by_sockets else by_link,
            by=self._counter(by_sockets=by_sockets),
            other=max(0.0, link - flow) if by_flow and by_link and not self.sends else None,
            started=started - self._first,
            ended=ended - self._first,
            longest_gap=self._gap,
        )

    def _counter(self, *, by_sockets: bool) -> Counter:
        if not self.sends:
            return Counter.RECEIVED
        return Counter.ACKNOWLEDGED if by_sockets else Counter.SENT

    def _look(self, frame: Frame) -> None:
        listed = {fact.subject for fact in _facts(frame, self.links) if isinstance(fact, LinkCounters)}
        if self.link in listed:
            self._link_at = frame.monotonic
        if listed:
            self.link_missing = frame.monotonic - self._link_at
        named = (fact.congestion_control for fact in _facts(frame, self.sockets) if isinstance(fact, TcpSocket))
        self.algorithms.update(name for name in named if name)


def meter_for(  # noqa: PLR0913 - what a stream is about, all keywords
    table: Sequence[str], sources: Sequence[Source], *, link: str, address: str, protocol: str, sends: bool = False
) -> Meter:
    """A meter of one end's stream: `table` names its readings, `address` is its own in the test.

    It counts what arrives there; of an end that `sends` to one that nobody looks at, what the other acknowledges.
    """
    return Meter(
        link=link,
        sends=sends,
        overhead=headers_per_frame(version=ip_version(address), protocol=protocol),
        links=_readings(table, sources, LinkCounters),
        sockets=_readings(table, sources, TcpSocket) if protocol == "tcp" else {},
    )


@functools.lru_cache(maxsize=1024)  # the same reading is looked at as a frame's own, as the next one's past, in windows
def parsed(source: Source, request: Request, payload: bytes) -> tuple[Fact, ...]:
    """The facts in one sampled or asked reading; none in one that does not have the form."""
    found = call_leaf(lambda: source.parse(request, payload))
    return () if isinstance(found, LeafFailure) else found


def _readings(table: Sequence[str], sources: Sequence[Source], kind: type[Fact]) -> dict[int, Parse]:
    """For each reading number that yields facts of one kind, how to read it."""
    return {
        number: functools.partial(parsed, source, request)
        for number, request in enumerate(map(parse_request, table))
        for source in sources
        if kind in source.facts and source.answers(request)
    }


def _facts(frame: Frame, readings: Mapping[int, Parse]) -> Iterator[Fact]:
    for reading in frame.readings:
        if reading.number in readings and not reading.error:
            yield from readings[reading.number](reading.payload)


def _mean(series: Sequence[Sample]) -> BitsPerSecond:
    seconds = sum(sample.seconds for sample in series)
    return sum(sample.throughput * sample.seconds for sample in series) / seconds if seconds else 0.0
