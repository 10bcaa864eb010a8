"""What a recorded trial shows: the series of its payload, the program's own figures, both ends' windows. Pure."""

import math
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import replace

from fullrate import collect
from fullrate.measure import series as samples
from fullrate.measure import stats
from fullrate.measure.meter import FLOW_GAP, Counter, Flow, meter_for, parsed
from fullrate.measure.parts import flows_of, told_of, trouble_of
from fullrate.measure.told import read_told
from fullrate.records.ends import Direction, End
from fullrate.records.evidence import parse_request
from fullrate.records.facts.base import Fact
from fullrate.records.facts.net import TcpSocket
from fullrate.records.frames import Frame, read_frames
from fullrate.records.leaf import Generator, Source
from fullrate.records.recording import STOPPED, FrameLog, TrialRecord
from fullrate.records.snapshot import Observation, Snapshot, Window
from fullrate.records.trial import EngineFailure, EngineResult, Estimate, Sample, Trial, TrialKind, TrialSpec
from fullrate.records.units import BitsPerSecond, Seconds

LOOPBACK, LOOPBACK_ADDRESS = "lo", "127.0.0.1"
STALL_AFTER: Seconds = 5.0  # nothing at all for so long is an answer too
_STALLED = round(STALL_AFTER / samples.STEP)  # samples
_BBR_FLOOR: Seconds = 10.0
_MARGIN: Seconds = 0.3  # the two samplers start within this of each other
_COUNTED = {
    Counter.ACKNOWLEDGED: "the rate {way} is what the receiver acknowledged to this kernel (tcp_info, bytes_acked):"
    " the receiver itself is not seen",
    Counter.SENT: "the rate {way} is what the {sender} link sent, with what was sent again: neither the receiver nor"
    " the test's sockets are seen",
    Counter.PROGRAM: "the rate {way} is what the traffic program counted: the link carried more, and the test's sockets"
    " could not be seen to tell whose it was",
}


def watched(direction: Direction, seen: Container[End]) -> End:
    """The end whose counters give the rate: the receiver, or the sender where nobody looks at the receiver."""
    return direction.receiver if direction.receiver in seen else direction.sender


def read_flow(  # noqa: PLR0913 - what a stream is about
    log: FrameLog, sources: Sequence[Source], link: str, address: str, protocol: str, *, sends: bool = False
) -> Flow:
    """The payload over time in one end's whole recorded stream; of an end that `sends` what was acknowledged."""
    meter = meter_for(log.table, sources, link=link, address=address, protocol=protocol, sends=sends)
    meter.add(log.data)
    return meter.flow()


def floor_for(algorithms: Iterable[str | None]) -> Seconds:
    """How long a flow must have run before it can be judged: bbr probes for bandwidth and RTT in cycles of 10 s."""
    return _BBR_FLOOR if any((name or "").startswith("bbr") for name in algorithms) else stats.FLOOR


def decided(
    series: Sequence[Sample], bar: BitsPerSecond | None, *, elapsed: Seconds, floor: Seconds = stats.FLOOR
) -> bool:
    """Whether more of this trial could not change what it says against the bar (or the estimate, without one)."""
    rates = [sample.throughput for sample in series]
    if not any(rates[-_STALLED:]):
        return elapsed >= STALL_AFTER
    if bar is not None and stats.decide(rates, bar, floor=floor) is not stats.Side.OPEN:
        return True
    return stats.settled(rates, floor=floor)


def read_trials(
    record: TrialRecord,
    sources: Sequence[Source],
    generators: Mapping[str, Generator],
    links: Mapping[End, str],
    addresses: Mapping[End, str],
) -> tuple[Trial, ...]:
    """A recorded trial as measured; more than one where several things were measured at the same time.

    An idle look has windows only. An end without a link is a server's: nobody looks there. Without frames there is what
    the program told.
    """
    logs = {log.end: log for log in record.frames}
    if record.generator not in generators or not record.spec.sends:
        windows = _windows(record, logs, sources, None) if logs else _between_moments(record, sources)
        return (Trial(id=record.id, spec=record.spec, windows=windows, failure=record.failure),)
    if not record.frames:
        engine = trouble_of(record, generators) or told_of(record, generators, flows_of(record.spec)[0])
        told = read_told(record, engine)
        return (replace(told, windows=_between_moments(record, sources), blocked=_blocked(record, engine)),)
    inner = record.spec.within
    links, addresses = (links, addresses) if inner is None else ({inner: LOOPBACK}, {inner: LOOPBACK_ADDRESS})
    every = [
        _read(record, flows, told_of(record, generators, flows), sources=sources, links=links, addresses=addresses)
        for flows in flows_of(record.spec)
    ]
    return tuple(replace(one, id=f"{one.id}-{place}" if place else one.id) for place, one in enumerate(every))


def _read(  # noqa: PLR0913 - what a trial is read from
    record: TrialRecord,
    flows: TrialSpec,
    engine: EngineResult,
    *,
    sources: Sequence[Source],
    links: Mapping[End, str],
    addresses: Mapping[End, str],
) -> Trial:
    """What one of a trial's flows came to."""
    logs = {log.end: log for log in record.frames}
    if flows.kind is not TrialKind.BULK:
        return _asked_of(record, flows, engine, _windows(record, logs, sources, None))
    end = flows.within or watched(flows.direction, [one for one, link in links.items() if link])
    flow, sends = Flow(), flows.within is None and end is flows.direction.sender
    if end in logs and not (sends and flows.protocol != "tcp"):  # only TCP tells its sender what arrived
        flow = read_flow(logs[end], sources, links[end], addresses[end], flows.protocol, sends=sends)
    windows = _windows(record, logs, sources, flow)
    return _trial(replace(record, spec=flows), engine, _own(flows, engine, flow), windows)


def _asked_of(record: TrialRecord, flows: TrialSpec, engine: EngineResult, windows: Mapping[End, Window]) -> Trial:
    """A trial that sends next to nothing: what its program told is all there is to it."""
    told = (engine.latency, engine.path_mtu, engine.disk_read, engine.disk_write)
    answered = any(one is not None for one in told)
    failure = record.failure or (
        engine.message or f"{engine.program} failed: {engine.failure}" if engine.failure else ""
    )
    return Trial(
        id=record.id,
        spec=flows,
        engine=engine,
        windows=windows,
        failure=failure or ("" if answered else "nothing was answered"),
        blocked=_blocked(record, engine),
        port=record.port,
    )


def _trial(record: TrialRecord, engine: EngineResult, flow: Flow, windows: Mapping[End, Window]) -> Trial:
    series = _read_by_program(engine, flow) if record.spec.protocol == "udp" else flow.series
    rates = [sample.throughput for sample in series]
    look = stats.look(rates)
    failure = _failure(record, engine, look)
    measured = not failure
    common = samples.common_window(series, engine.received) if measured else None
    sender = windows.get(record.spec.direction.sender)
    return Trial(
        id=record.id,
        spec=record.spec,
        engine=engine,
        series=series,
        warm_up=look.warm_up_samples * samples.STEP if measured else 0.0,
        throughput=_estimate(look) if measured else None,
        engine_throughput=common[1] if common else None,
        engine_difference=_difference(common),
        steady=measured and stats.steady(rates),
        settled=measured and stats.settled(rates, floor=floor_for(_algorithms(engine, sender))),
        retransmit_ratio=_retransmit_ratio(sender) if sender else None,
        other_throughput=flow.other,
        windows=windows,
        failure=failure,
        blocked=_blocked(record, engine),
        port=record.port,
        sampler_gap=flow.longest_gap,
        warnings=_warnings(record, flow) if measured else (),
    )


def _own(spec: TrialSpec, engine: EngineResult, flow: Flow) -> Flow:
    """The flow, scaled to what its program counted where the link carried more and no socket was seen to tell why.

    That may be other traffic, which must not fill the link in the test's name. UDP has no sockets to see, and its
    receiver may lose datagrams behind the link.
    """
    if spec.protocol != "tcp" or flow.other is not None or flow.by is not Counter.RECEIVED:
        return flow
    difference = _difference(samples.common_window(flow.series, engine.received))
    if difference is None or difference >= -FLOW_GAP:
        return flow
    scaled = tuple(replace(one, throughput=one.throughput * (1 + difference)) for one in flow.series)
    return replace(flow, series=scaled, by=Counter.PROGRAM)


def _read_by_program(engine: EngineResult, flow: Flow) -> tuple[Sample, ...]:
    """The UDP payload that the receiving program read, for what the link brought a full socket buffer may discard.

    The link's own series where the program tells none. The program's time zero is the link's first sample.
    """
    if not flow.series or not engine.received:
        return flow.series
    zero = flow.series[0].at - flow.series[0].seconds
    return samples.active(samples.even_series(engine.received, zero))


def _difference(common: tuple[BitsPerSecond, BitsPerSecond] | None) -> float | None:
    """How far the program's own figure lies from ours."""
    return common[1] / common[0] - 1 if common and common[0] > 0 else None


def _warnings(record: TrialRecord, flow: Flow) -> tuple[str, ...]:
    """How the rate was counted, where it is not by the receiver, and that the test was cut short."""
    way, text = record.spec.direction.words, _COUNTED.get(flow.by)
    counted = () if text is None else (text.format(way=way, sender=record.spec.direction.sender),)
    ran = f"the test {way} was {record.failure} after {flow.ended - flow.started:.1f} s"
    return (*counted, *((ran,) if record.failure else ()))


def _failure(record: TrialRecord, engine: EngineResult, look: stats.Look) -> str:
    """Why there is no measurement; empty when there is one, which may be of a trial that the user cut short."""
    ran = look.warm_up_samples * samples.STEP + look.kept
    if record.failure and not (record.failure == STOPPED and ran >= stats.FLOOR):
        return record.failure
    if engine.failure is not None:
        return engine.message or f"{engine.program} failed: {engine.failure}"
    if look.kept == 0:
        return "no payload was seen at the receiver"
    return "" if math.isfinite(look.half_width) else "the test ended too soon to tell a rate"


def _algorithms(engine: EngineResult, sender: Window | None) -> tuple[str | None, ...]:
    sockets = sender.before.all(TcpSocket) if sender else ()
    return (engine.congestion_control, *(socket.congestion_control for socket in sockets))


def _estimate(look: stats.Look) -> Estimate:
    low, high = look.mean - look.half_width, look.mean + look.half_width
    return Estimate(n=1, median=look.mean, ci_low=max(0.0, low), ci_high=high)


def _blocked(record: TrialRecord, engine: EngineResult) -> bool:
    """The server listened until we stopped it, yet the client got no answer from it."""
    waited = any(output.role == "server" and output.stopped for output in record.outputs)
    return waited and engine.failure is EngineFailure.UNREACHABLE


def _retransmit_ratio(window: Window) -> float | None:
    sent = retransmitted = 0
    for delta in window.deltas(TcpSocket):
        if delta.after.segments_out is not None and delta.before.segments_out is not None:
            sent += delta.after.segments_out - delta.before.segments_out
            retransmitted += (delta.after.retransmits or 0) - (delta.before.retransmits or 0)
    return max(0, retransmitted) / sent if sent > 0 else None


def _windows(
    record: TrialRecord, logs: Mapping[End, FrameLog], sources: Sequence[Source], flow: Flow | None
) -> dict[End, Window]:
    return {end: _window(record, end, log, sources, flow) for end, log in logs.items()}


def _between_moments(record: TrialRecord, sources: Sequence[Source]) -> dict[End, Window]:
    """What grew between two readings of an end that nothing sampled; none of a trial that failed.

    Of pasted outputs nobody knows when they were read: their windows last no time, so they tell growth and no rate.
    """
    if record.failure:
        return {}
    pairs = {end: tuple(_asked(record, end, sources, (name,), set()) for name in ("before", "after")) for end in End}
    return {
        end: Window(before=before, after=after)
        for end, (before, after) in pairs.items()
        if before.observations and after.observations
    }


def _window(record: TrialRecord, end: End, log: FrameLog, sources: Sequence[Source], flow: Flow | None) -> Window:
    frames = tuple(read_frames(log.data))
    inner = _steady(frames, flow)
    before, after = _facts(inner, log, sources), _facts(tuple(reversed(inner)), log, sources)
    kinds = {type(seen.fact) for seen in before.observations}
    early, late = (_asked(record, end, sources, names, kinds) for names in (("before", "early"), ("late", "after")))
    sockets = [source for source in sources if TcpSocket in source.facts]
    between = tuple(_facts([frame], log, sockets) for frame in inner)
    before, after = before + _steadily(early, frames[:1]), after + _steadily(late, frames[-1:])
    return Window(before=before, after=after, between=between)


def _steadily(asked: Snapshot, beside: Sequence[Frame]) -> Snapshot:
    """What was asked, its times on the monotonic clock of the frame taken beside it: the wall clock may be set."""
    ahead = beside[0].wall - beside[0].monotonic if beside else 0.0
    moved = tuple(replace(seen, taken_at=seen.taken_at - ahead) for seen in asked.observations)
    return replace(asked, observations=moved)


def _asked(
    record: TrialRecord, end: End, sources: Sequence[Source], names: tuple[str, ...], known: set[type[Fact]]
) -> Snapshot:
    """What the trial's moments read; kinds that the sampler read are left to it."""
    moments = (moment for moment in record.moments if moment.end is end and moment.name in names)
    read = collect.read((reply for moment in moments for reply in moment.replies), sources)
    return replace(read, observations=tuple(seen for seen in read.observations if type(seen.fact) not in known))


def _steady(frames: Sequence[Frame], flow: Flow | None) -> Sequence[Frame]:
    """The samples of the steady part; all of them when there is none."""
    if not frames or flow is None or not flow.series:
        return frames
    lo, hi = flow.started + _MARGIN, flow.ended - _MARGIN
    return tuple(frame for frame in frames if lo <= frame.monotonic - frames[0].monotonic <= hi) or frames


def _facts(frames: Iterable[Frame], log: FrameLog, sources: Sequence[Source]) -> Snapshot:
    """The facts of each request's first good reading in `frames`."""
    seen: set[int] = set()
    observations: list[Observation] = []
    requests = tuple(map(parse_request, log.table))
    for frame in frames:
        for reading in frame.readings:
            if reading.error or reading.number in seen or reading.number >= len(requests):
                continue
            request = requests[reading.number]
            found = [
                Observation(fact=fact, taken_at=frame.monotonic, source=request.key)
                for source in sources
                if source.answers(request)
                for fact in parsed(source, request, reading.payload)
            ]
            if found:
                seen.add(reading.number)
                observations += found
        if len(seen) == len(requests):
            break
    return Snapshot(observations=tuple(observations))
