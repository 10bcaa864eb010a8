"""fullrate's own last-resort sender: a Python program at both ends, for hosts without iperf3. TCP only.

Every host that the agent runs on has what it needs. It is never as good as iperf3, so its numbers carry a label, and a
rate at which one of its processes filled a CPU says nothing about the host (`self_limited`).

The program and what it prints: `_pump`. Errors are errno names of connect(2), bind(2) and of the test's connections.
"""

from fullrate.generators._own import GRACE, ISOLATED, MAX_STREAMS, PROGRAM, absent, culprit, failure
from fullrate.generators._pump import SCRIPT, Document, said
from fullrate.records.ends import Direction
from fullrate.records.evidence import query
from fullrate.records.facts.net import ProgramVersion
from fullrate.records.leaf import Endpoint, Launch, LaunchedGenerator
from fullrate.records.recording import ProgramOutput
from fullrate.records.trial import EngineResult, Interval, TrialKind, TrialSpec
from fullrate.records.units import bits_per_second

# Of a CPU, either process: 10 Hz ticks leave a saturated one at 92 % and more (as checks/_cpu, SATURATED).
_ITS_OWN_LIMIT = 0.90
LABEL = (
    "measured by fullrate's own last-resort sender, a Python program, not by iperf3: above 10 Gbit/s it may itself be"
    " the limit"  # what it reached where iperf3 reached as much: docs/performance.md
)


def _refuses(spec: TrialSpec, client: ProgramVersion | None, server: ProgramVersion | None) -> tuple[str, ...]:
    reasons = {
        f"the last-resort sender sends bulk TCP only, not {spec.kind} {spec.protocol}": (spec.kind, spec.protocol)
        != (TrialKind.BULK, "tcp"),
        "the last-resort sender sends in one direction at a time": spec.direction is Direction.BOTH,
        f"the last-resort sender runs 1 to {MAX_STREAMS} streams, not {spec.streams}": not 1
        <= spec.streams
        <= MAX_STREAMS,
        absent(spec.server.other): client is None,
        absent(spec.server): server is None,
    }
    return tuple(reason for reason, holds in reasons.items() if holds)


def _server(spec: TrialSpec, where: Endpoint, _: ProgramVersion) -> Launch:
    return _launch("server", "send" if spec.reverse else "receive", spec, where, spec.max_seconds + GRACE)


def _client(spec: TrialSpec, where: Endpoint, _: ProgramVersion) -> Launch:
    return _launch("client", "receive" if spec.reverse else "send", spec, where, spec.max_seconds)


def _launch(role: str, way: str, spec: TrialSpec, where: Endpoint, seconds: int) -> Launch:
    rate = 0 if spec.rate is None else spec.rate / spec.streams
    meet = (where.server_address, where.port, where.client_address)
    words = (role, way, *meet, spec.streams, seconds, where.connect_within, rate)
    return Launch(argv=(*ISOLATED, SCRIPT, *map(str, words)), deadline=spec.max_seconds + GRACE)


def _read(spec: TrialSpec, outputs: tuple[ProgramOutput, ...]) -> EngineResult:
    client, server = (said(role, outputs) for role in ("client", "server"))
    sender, receiver = (server, client) if spec.reverse else (client, server)
    role = culprit(client, server, outputs)
    failed = client if role == "client" else server
    busy = [_share(client), _share(server)]
    return EngineResult(
        program="python",
        client_version=client.python,
        server_version=server.python,
        failure=failure(role, failed, outputs),
        message=failed.message,
        sent=_intervals(sender),
        received=_intervals(receiver),
        client_cpu=busy[0],
        server_cpu=busy[1],
        self_limited=max((share for share in busy if share is not None), default=0.0) >= _ITS_OWN_LIMIT,
        warnings=(LABEL,) if receiver.intervals else (),
    )


def _intervals(half: Document) -> tuple[Interval, ...]:
    return tuple(
        Interval(start=one.start, end=one.end, throughput=bits_per_second(one.bytes, one.end - one.start))
        for one in half.intervals
        if one.end > one.start
    )


def _share(half: Document) -> float | None:
    """Of one CPU, in the second half of the test, when it is under way."""
    steps = half.intervals[len(half.intervals) // 2 :]
    seconds = sum(one.end - one.start for one in steps)
    return sum(one.cpu for one in steps) / seconds if seconds > 0 else None


GENERATOR = LaunchedGenerator(
    id="python",
    program=PROGRAM,
    probe=query(PROGRAM, "--version"),
    refuses=_refuses,
    server=_server,
    client=_client,
    read=_read,
    recognizes=lambda _: False,  # nobody pastes what it prints
    runs=lambda _: (),
    told=lambda _: None,
)
