"""What the two halves of the probe mean together."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from fullrate.generators._own import culprit, failure
from fullrate.generators._probe_said import Document, Flood, Requests, said
from fullrate.records.ends import Direction
from fullrate.records.recording import ProgramOutput
from fullrate.records.trial import Bucket, EngineFailure, EngineResult, Interval, Latency, TrialKind, TrialSpec
from fullrate.records.units import NANOSECONDS, bits_per_second

VIRTUAL = (
    "datagrams are handed to the kernel many at a time (UDP_SEGMENT); on veth they stay together, so packets a second"
    " are virtual there"
)
SINGLY = "the sender's kernel takes one datagram at a time here (no UDP_SEGMENT): its CPU is the limit sooner"
READ_SINGLY = "the receiver's kernel gives one datagram at a time (no UDP_GRO): its CPU is the limit sooner"

_KEPT_TOGETHER = 64  # UDP_GRO_CNT_MAX, net/ipv4/udp_offload.c


def read(spec: TrialSpec, outputs: Sequence[ProgramOutput]) -> EngineResult:
    """The result of one trial. Totals and loss hold after an early stop too: the halves agree on them at the end."""
    client, server = (said(role, outputs) for role in ("client", "server"))
    role = culprit(client, server, outputs)
    failed = client if role == "client" else server
    result = EngineResult(
        program="probe",
        client_version=client.python,
        server_version=server.python,
        failure=failure(role, failed, outputs),
        message=failed.message,
        client_cpu=_share(client),
        server_cpu=_share(server),
    )
    if spec.kind is TrialKind.LATENCY:
        return _with_requests(spec, result, client.requests)
    if spec.kind is TrialKind.PATH_MTU:
        return _with_path_mtu(spec, result, client)
    sender, receiver = (server, client) if spec.reverse else (client, server)
    return _with_flood(spec, result, sender.flood, receiver.flood)


def _share(half: Document) -> float | None:
    """Of one CPU."""
    return half.cpu / half.wall if half.connected and half.wall > 0 else None


def _with_requests(spec: TrialSpec, result: EngineResult, asked: Requests | None) -> EngineResult:
    if asked is None:
        return result
    count = sum(many for _, many in asked.buckets)
    lost = asked.lost / (count + asked.lost) if count + asked.lost else None
    return replace(
        result,
        latency=_latency(asked, count) if count else None,
        lost_ratio=lost if spec.protocol == "udp" else None,
    )


def _latency(asked: Requests, count: int) -> Latency:
    return Latency(
        count=count,
        mean=asked.total / count / NANOSECONDS,
        minimum=asked.least / NANOSECONDS,
        maximum=asked.most / NANOSECONDS,
        histogram=tuple(Bucket(upper=upper / NANOSECONDS, count=many) for upper, many in asked.buckets),
    )


def _with_path_mtu(spec: TrialSpec, result: EngineResult, client: Document) -> EngineResult:
    """The smaller of both ways, or the one that was asked for."""
    found = [size for size in client.path_mtu if size is not None]
    if len(found) == (2 if spec.direction is Direction.BOTH else 1):
        return replace(result, path_mtu=min(found))
    early = "stopped before the path MTU was found"
    return replace(
        result,
        failure=result.failure or EngineFailure.INTERRUPTED,
        message=result.message if result.failure else early,
    )


def _with_flood(spec: TrialSpec, result: EngineResult, sent: Flood | None, received: Flood | None) -> EngineResult:
    """Both totals are of the sender's time; what it sent and nobody got is lost."""
    result = replace(
        result,
        sent=_intervals(sent),
        received=_intervals(received),
        warnings=tuple(_warnings(spec, sent, received)),
    )
    if sent is None or received is None or sent.seconds <= 0:
        return result
    return replace(
        result,
        seconds=sent.seconds,
        total_sent=bits_per_second(sent.datagrams * sent.size, sent.seconds),
        total_received=bits_per_second(received.datagrams * received.size, sent.seconds),
        packets=received.datagrams / sent.seconds,
        lost_ratio=_lost(sent, received) / sent.datagrams if sent.datagrams else None,
    )


def _lost(sent: Flood, received: Flood) -> int:
    return max(0, sent.datagrams - received.datagrams)


def _intervals(half: Flood | None) -> tuple[Interval, ...]:
    return tuple(
        Interval(
            start=one.start,
            end=one.end,
            throughput=bits_per_second(one.datagrams * half.size, one.end - one.start),
        )
        for one in (half.intervals if half else ())
        if half and one.end > one.start
    )


def _warnings(spec: TrialSpec, sent: Flood | None, received: Flood | None) -> Iterator[str]:
    """How it was sent and read, where that moves the figure, and what the receiver's sockets lost."""
    if sent is not None and sent.singly:
        yield SINGLY
    if sent is not None and sent.together > 1:
        yield VIRTUAL
    if received is None:
        return
    if received.singly:
        yield READ_SINGLY
    if spec.buffer is not None and received.buffer < spec.buffer:
        yield f"the receiver's kernel grants {received.buffer} of {spec.buffer} bytes of socket buffer"
    if received.dropped and sent is not None:
        yield _where_lost(received.dropped, _lost(sent, received), singly=received.singly)


def _where_lost(dropped: int, lost: int, *, singly: bool) -> str:
    """The kernel counts what it keeps together as one."""
    most = min(lost, dropped if singly else dropped * _KEPT_TOGETHER)
    number = f"{dropped}" if most <= dropped else f"{dropped} to {most}"
    return f"lost in the receiver's socket buffer: {number} of {lost} lost datagrams"
