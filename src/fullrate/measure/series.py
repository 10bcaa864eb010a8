"""The payload of a flow over time, from the sampler's frames of its receiver, or of its sender. Pure.

Rates stand between adjacent frames only, by the host's monotonic clock; a lost frame, an unreadable reading or a
counter that went back leaves a gap, never a guess. `Sample.at` is on that same clock.
"""

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from fullrate.records.facts.base import Fact
from fullrate.records.facts.link import LinkCounters
from fullrate.records.facts.net import TcpSocket
from fullrate.records.frames import Frame
from fullrate.records.trial import Interval, Sample
from fullrate.records.units import BitsPerSecond, Bytes, Seconds, bits_per_second

STEP: Seconds = 0.1  # the sampler's
ACTIVE_SHARE = 0.01  # of the highest rate: below it a sample is no part of the run
SHORTEST_RUN: Seconds = 1.0  # a trial's first look comes at 3 s: a shorter stretch is a handshake, not a run
LONGEST_CLOSING: Seconds = 3.5  # silence while the programs end; a longer one is an outage within the run
MARGIN: Seconds = 0.5  # of the common window, at both ends
_LEAST_COVER = 0.9  # of the common window, by samples

F = TypeVar("F", bound=Fact)
Parse = Callable[[bytes], tuple[Fact, ...]]
_Count = Callable[[TcpSocket], Bytes | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Stretch:
    """A mean rate between two moments."""

    start: Seconds
    end: Seconds
    throughput: BitsPerSecond


def link_series(
    frames: Iterable[Frame], readings: Mapping[int, Parse], link: str, *, overhead: Bytes, sends: bool = False
) -> tuple[Sample, ...]:
    """Payload that one link received (sent, if it `sends`): its bytes without `overhead` (headers) for each packet.

    The kernel counts a merged (GRO, GSO) packet once, with one header, and drivers count frames without their FCS.
    """

    def carried(before: Frame, after: Frame) -> Bytes | None:
        first, last = (_link(frame, readings, link, sends=sends) for frame in (before, after))
        return _link_payload(first, last, overhead)

    return _series(frames, carried)


def socket_series(frames: Iterable[Frame], readings: Mapping[int, Parse], *, sends: bool = False) -> tuple[Sample, ...]:
    """Payload that the test's TCP sockets received; a gap where a frame shows none of the earlier ones.

    Of sockets that send, what their receiver acknowledged (tcpi_bytes_acked): that arrived.
    """
    count = _acknowledged if sends else _received

    def carried(before: Frame, after: Frame) -> Bytes | None:
        return _socket_payload(_sockets(before, readings, count), _sockets(after, readings, count))

    return _series(frames, carried)


def even_series(intervals: Sequence[Interval], zero: Seconds) -> tuple[Sample, ...]:
    """The program's intervals as steps of one length from `zero` on.

    A program that was kept from running has longer ones, which would weigh as little as the others.
    """
    stretches = [_Stretch(start=i.start, end=i.end, throughput=i.throughput) for i in intervals if i.end > i.start]
    steps = round(stretches[-1].end / STEP) if stretches else 0
    rates = ((step + 1, _mean(stretches, step * STEP, (step + 1) * STEP)) for step in range(steps))
    return tuple(Sample(at=zero + end * STEP, seconds=STEP, throughput=rate) for end, rate in rates if rate is not None)


def active(series: Sequence[Sample]) -> tuple[Sample, ...]:
    """The samples of the run itself: from its first to its last active one, partly filled edges left out.

    The last one always is such an edge, for the sampler may end with the flow; the first where idle ones come before. A
    silent end of more than 3.5 s is an outage and stays. When less than a second is active (a black hole: nothing but a
    handshake came through) the whole series is the run, and its rate is about zero.
    """
    bar = ACTIVE_SHARE * max((sample.throughput for sample in series), default=0.0)
    busy = [number for number, sample in enumerate(series) if sample.throughput > bar]
    if not busy or _span(series[busy[0] : busy[-1] + 1]) < SHORTEST_RUN:
        return tuple(series)
    first = busy[0] + (1 if busy[0] > 0 else 0)
    silence = _span(series[busy[-1] + 1 :])
    return tuple(series[first : busy[-1] if silence <= LONGEST_CLOSING else None])


def common_window(
    series: Sequence[Sample], intervals: Sequence[Interval]
) -> tuple[BitsPerSecond, BitsPerSecond] | None:
    """The mean by kernel and by program over the time both cover, its outer 0.5 s left out; None when nothing remains.

    The program's time zero is the series' start.
    """
    if not series or not intervals:
        return None
    zero = series[0].at - series[0].seconds
    kernel = [_Stretch(start=s.at - s.seconds - zero, end=s.at - zero, throughput=s.throughput) for s in series]
    program = [_Stretch(start=i.start, end=i.end, throughput=i.throughput) for i in intervals]
    low = max(kernel[0].start, program[0].start) + MARGIN
    high = min(kernel[-1].end, program[-1].end) - MARGIN
    means = _mean(kernel, low, high), _mean(program, low, high)
    return None if means[0] is None or means[1] is None else (means[0], means[1])


def _series(frames: Iterable[Frame], carried: Callable[[Frame, Frame], Bytes | None]) -> tuple[Sample, ...]:
    return tuple(
        Sample(at=after.monotonic, seconds=seconds, throughput=bits_per_second(size, seconds))
        for before, after in itertools.pairwise(frames)
        if after.seq == before.seq + 1
        and (seconds := after.monotonic - before.monotonic) > 0
        and (size := carried(before, after)) is not None
    )


def _facts(frame: Frame, readings: Mapping[int, Parse], kind: type[F]) -> Iterator[F]:
    for reading in frame.readings:
        if reading.number in readings and not reading.error:
            yield from (fact for fact in readings[reading.number](reading.payload) if isinstance(fact, kind))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Carried:
    """What a link had sent or received."""

    size: Bytes
    packets: int


def _link(frame: Frame, readings: Mapping[int, Parse], link: str, *, sends: bool) -> _Carried | None:
    for fact in _facts(frame, readings, LinkCounters):
        if fact.subject == link:
            size, packets = (fact.tx_bytes, fact.tx_packets) if sends else (fact.rx_bytes, fact.rx_packets)
            return None if size is None or packets is None else _Carried(size=size, packets=packets)
    return None


def _link_payload(before: _Carried | None, after: _Carried | None, overhead: Bytes) -> Bytes | None:
    if before is None or after is None:
        return None
    size, packets = after.size - before.size, after.packets - before.packets
    if size < 0 or packets < 0:
        return None
    return max(0, size - overhead * packets)  # packets smaller than the header are none of ours


def _sockets(frame: Frame, readings: Mapping[int, Parse], count: _Count) -> dict[str, Bytes]:
    return {fact.subject: size for fact in _facts(frame, readings, TcpSocket) if (size := count(fact)) is not None}


def _received(socket: TcpSocket) -> Bytes | None:
    return socket.bytes_received


def _acknowledged(socket: TcpSocket) -> Bytes | None:
    return socket.bytes_acked


def _socket_payload(before: Mapping[str, Bytes], after: Mapping[str, Bytes]) -> Bytes | None:
    grown = [after[subject] - count for subject, count in before.items() if subject in after]
    return None if not grown or min(grown) < 0 else sum(grown)


def _span(series: Sequence[Sample]) -> Seconds:
    return series[-1].at - series[0].at + series[0].seconds if series else 0.0


def _mean(stretches: Iterable[_Stretch], low: Seconds, high: Seconds) -> BitsPerSecond | None:
    shares = [(min(part.end, high) - max(part.start, low), part.throughput) for part in stretches]
    shares = [(seconds, rate) for seconds, rate in shares if seconds > 0]
    covered = sum(seconds for seconds, _ in shares)
    if high <= low or covered < _LEAST_COVER * (high - low):
        return None
    return sum(seconds * rate for seconds, rate in shares) / covered
