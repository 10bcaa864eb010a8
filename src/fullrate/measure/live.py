"""What one end does just now, from the frames its sampler sends anyway. Pure.

Rates stand between the frame that was looked at last and the newest one, by the host's monotonic clock. A counter that
went back, or that one of the two frames lacks, gives none. A full socket discards in tcp_add_backlog (TCPBacklogDrop,
net/ipv4/tcp_ipv4.c), tcp_data_queue (TCPRcvQDrop, net/ipv4/tcp_input.c) and __udp_queue_rcv_skb (UdpRcvbufErrors,
net/ipv4/udp.c); a full backlog in enqueue_to_backlog (net/core/dev.c), which counts at the link as well.
"""

import functools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from fullrate.measure.meter import Meter, parsed
from fullrate.measure.series import Parse
from fullrate.records.ends import Direction, End
from fullrate.records.event import Cpu, Drops, Sampled
from fullrate.records.evidence import parse_request
from fullrate.records.facts.base import Fact
from fullrate.records.facts.cpu import CpuTimes, Softnet
from fullrate.records.facts.link import LinkCounters
from fullrate.records.facts.net import ProtocolCounters, TcpSocket
from fullrate.records.frames import Frame
from fullrate.records.leaf import Source
from fullrate.records.snapshot import increase
from fullrate.records.units import BitsPerSecond, Bytes, Seconds, bits_per_second

LEAST: Seconds = 0.25  # CPU times count in hundredths of a second (USER_HZ): in less, rounding is most of a share
MOST_CPUS = 4
_FAST = 10  # readings a second: these are in every frame
_KINDS: tuple[type[Fact], ...] = (LinkCounters, TcpSocket, ProtocolCounters, Softnet, CpuTimes)
_SOCKET_DROPS = ("TcpExtTCPBacklogDrop", "TcpExtTCPRcvQDrop", "UdpRcvbufErrors")
_RESENT = "TcpRetransSegs"

F = TypeVar("F", bound=Fact)


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """What a gauge is of: one end of one trial."""

    trial: str
    end: End
    host: str
    direction: Direction


@dataclass(slots=True, kw_only=True)
class Gauge:
    """One end's figures since the last look at them, by the frames that its meter has read."""

    place: Place
    meter: Meter
    readings: Mapping[int, Parse]  # by reading number: how to read what is shown
    _seen: Frame | None = None

    def look(self) -> Sampled | None:
        """The figures up to the newest frame; None when it is the first, or came too soon after the one before."""
        frame = self.meter.latest
        if frame is None:
            return None
        before = self._seen or frame
        seconds = frame.monotonic - before.monotonic
        if 0 < seconds < LEAST:
            return None
        self._seen = frame
        if seconds <= 0:
            return None
        return self._sampled(_Span(before=self._facts(before), after=self._facts(frame), seconds=seconds))

    def _facts(self, frame: Frame) -> tuple[Fact, ...]:
        readings = (one for one in frame.readings if one.number in self.readings and not one.error)
        return tuple(fact for one in readings for fact in self.readings[one.number](one.payload))

    def _sampled(self, span: "_Span") -> Sampled:
        return Sampled(
            trial=self.place.trial,
            end=self.place.end,
            host=self.place.host,
            link=self.meter.link,
            direction=self.place.direction,
            seconds=round(span.seconds, 3),
            sent_bps=span.rate(_sent(self.meter, span)),
            received_bps=span.rate(_received(self.meter, span)),
            retransmits_per_second=span.per_second(_resent(span)),
            drops=_drops(self.meter.link, span),
            cpus=_cpus(span),
        )


def gauge_for(table: Sequence[str], sources: Sequence[Source], meter: Meter, place: Place) -> Gauge:
    """A gauge of one end's stream; `table` names its readings, `meter` reads them."""
    readings = {
        number: functools.partial(parsed, source, request)
        for number, request in enumerate(map(parse_request, table))
        for source in sources
        if source.sampled == _FAST and {*_KINDS} & {*source.facts} and source.answers(request)
    }
    return Gauge(place=place, meter=meter, readings=readings)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Span:
    """The facts of two frames, so many seconds apart."""

    before: tuple[Fact, ...]
    after: tuple[Fact, ...]
    seconds: Seconds

    def pairs(self, kind: type[F], subject: str | None = None) -> list[tuple[F, F]]:
        """The facts of one kind that both frames have."""
        known = {fact.identity: fact for fact in self.before if isinstance(fact, kind)}
        return [
            (known[fact.identity], fact)
            for fact in self.after
            if isinstance(fact, kind) and fact.identity in known and subject in {None, fact.subject}
        ]

    def grown(self, kind: type[F], count: Callable[[F], int | None], subject: str | None = None) -> int | None:
        """How much a counter of these facts grew, in all; None when it is nowhere told, or went back somewhere."""
        found = [increase(count(one), count(other)) for one, other in self.pairs(kind, subject)]
        told = [one for one in found if one is not None]
        return sum(told) if found and len(told) == len(found) else None

    def rate(self, size: Bytes | None) -> BitsPerSecond | None:
        """So many bytes as a rate."""
        return None if size is None else float(round(bits_per_second(size, self.seconds)))

    def per_second(self, count: int | None) -> float | None:
        """So many as a number in each second."""
        return None if count is None else round(count / self.seconds, 1)


def _sent(meter: Meter, span: _Span) -> Bytes | None:
    """What the test's sockets had acknowledged; where those are not seen, what the link sent."""
    size = span.grown(LinkCounters, lambda one: one.tx_bytes, meter.link)
    packets = span.grown(LinkCounters, lambda one: one.tx_packets, meter.link)
    acknowledged = span.grown(TcpSocket, lambda one: one.bytes_acked)
    return _payload(meter, size, packets) if acknowledged is None else acknowledged


def _received(meter: Meter, span: _Span) -> Bytes | None:
    """What the test's sockets received; where those are not seen, what the link did."""
    size = span.grown(LinkCounters, lambda one: one.rx_bytes, meter.link)
    packets = span.grown(LinkCounters, lambda one: one.rx_packets, meter.link)
    received = span.grown(TcpSocket, lambda one: one.bytes_received)
    return _payload(meter, size, packets) if received is None else received


def _payload(meter: Meter, size: Bytes | None, packets: int | None) -> Bytes | None:
    return None if size is None or packets is None else max(0, size - meter.overhead * packets)


def _resent(span: _Span) -> int | None:
    """By the test's sockets; where those are not seen, by all of the host."""
    own = span.grown(TcpSocket, lambda one: one.retransmits)
    return span.grown(ProtocolCounters, _named(_RESENT), "snmp") if own is None else own


def _named(name: str) -> Callable[[ProtocolCounters], int | None]:
    return lambda fact: fact.counters.get(name)


def _drops(link: str, span: _Span) -> tuple[Drops, ...]:
    """Where something was discarded, the most first; of places that tell the same the one that says more."""
    sockets = [_of_any(span, name) for name in _SOCKET_DROPS]
    counts = {
        "socket": sum(sockets),
        "backlog": span.grown(Softnet, lambda one: one.dropped) or 0,
        "link_rx": span.grown(LinkCounters, lambda one: one.rx_dropped, link) or 0,
        "link_tx": span.grown(LinkCounters, lambda one: one.tx_dropped, link) or 0,
        "link_errors": span.grown(LinkCounters, _errors, link) or 0,
    }
    found = [Drops(place=where, per_second=round(count / span.seconds, 1)) for where, count in counts.items() if count]
    return tuple(sorted(found, key=lambda one: -one.per_second))


def _of_any(span: _Span, name: str) -> int:
    """How much one protocol counter grew, whichever file has it."""
    pairs = span.pairs(ProtocolCounters)
    grown = (increase(one.counters.get(name), other.counters.get(name)) for one, other in pairs)
    return sum(one for one in grown if one is not None)


def _errors(one: LinkCounters) -> int | None:
    return None if one.rx_errors is None or one.tx_errors is None else one.rx_errors + one.tx_errors


def _cpus(span: _Span) -> tuple[Cpu, ...]:
    found = [_cpu(*pair) for pair in span.pairs(CpuTimes) if pair[1].subject]
    busiest = sorted((one for one in found if one is not None), key=lambda one: (-one.busy, -one.softirq, one.number))
    return tuple(busiest[:MOST_CPUS])


def _cpu(before: CpuTimes, after: CpuTimes) -> Cpu | None:
    """None when its clock stood still, or went back (iowait may, proc(5))."""
    total = increase(before.total, after.total)
    busy, softirq = increase(before.busy, after.busy), increase(before.softirq, after.softirq)
    if not total or busy is None or softirq is None:
        return None
    return Cpu(
        number=int(after.subject), busy=round(min(1.0, busy / total), 3), softirq=round(min(1.0, softirq / total), 3)
    )
