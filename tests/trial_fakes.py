"""Two made-up hosts on which a trial runs by a clock that does not wait."""

import struct
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from fullrate.generators.iperf3 import GENERATOR
from fullrate.host.fake import FakeHost
from fullrate.host.protocol import Command, ProcessState, SamplePlan, Sampling
from fullrate.measure import trial as trials
from fullrate.measure.attempt import Bench, Party
from fullrate.records.ends import End
from fullrate.records.errors import FormatError, TargetError
from fullrate.records.event import AnyEvent, PhaseBegan, Sampled
from fullrate.records.evidence import DumpSockets, QueryCommand, ReadFile, Reply, Request, Status
from fullrate.records.facts.base import Fact
from fullrate.records.facts.net import ProgramVersion, TcpSocket
from fullrate.records.leaf import Scope, Source
from fullrate.records.progress import Progress
from fullrate.records.recording import ProgramOutput, TrialRecord
from fullrate.records.trial import TrialSpec
from fullrate.records.units import BitsPerSecond, Seconds
from fullrate.sources.net_dev import SOURCE as NET_DEV
from fullrate.sources.process_cgroup import SOURCE as PROCESS_CGROUP
from fullrate.sources.snmp import SOURCE as SNMP
from iperf3_recorded import FIXTURES, FORWARD

LINK = "wire0"
ADDRESS = {End.NEAR: "192.0.2.1", End.FAR: "192.0.2.2"}
PID = {End.NEAR: 11, End.FAR: 22}
FULL: BitsPerSecond = 940e6
HEADERS = 66  # bytes of a packet over IPv4 that are no TCP payload
PORTS = tuple(range(5201, 5211))
TABLE = ("read /proc/net/dev", "sockets 5201")


def parse_sockets(_: Request, payload: bytes) -> tuple[Fact, ...]:
    """`algorithm bytes segments retransmits` words, four for each socket."""
    words = payload.decode().split()
    if len(words) % 4:
        raise FormatError("not four words for each socket")
    return tuple(
        TcpSocket(
            subject=f"192.0.2.2:5201 192.0.2.1:{40000 + at}",
            local_address="192.0.2.2",
            local_port=5201,
            peer_address="192.0.2.1",
            peer_port=40000 + at,
            state="ESTAB",
            congestion_control=words[at],
            bytes_received=int(words[at + 1]),
            segments_out=int(words[at + 2]),
            retransmits=int(words[at + 3]),
        )
        for at in range(0, len(words), 4)
    )


def _socket_requests(scope: Scope) -> tuple[Request, ...]:
    return (DumpSockets(ports=scope.ports),) if scope.ports else ()


SOCKETS = Source(
    id="made_up_sockets",
    facts=(TcpSocket,),
    requests=_socket_requests,
    answers=lambda request: isinstance(request, DumpSockets),
    recognizes=lambda _: False,
    parse=parse_sockets,
    sampled=10,
)
COUNTERS = Source(
    id="made_up_counters",
    facts=(),
    requests=lambda scope: tuple(ReadFile(path=f"/counters/{link}") for link in scope.links),
    answers=lambda _: False,
    recognizes=lambda _: False,
    parse=lambda _, __: (),
    moving=True,
)
SOURCES = (COUNTERS, NET_DEV, PROCESS_CGROUP, SOCKETS)
WITH_SNMP = (*SOURCES, SNMP)


def encoded(seq: int, at: Seconds, payloads: Sequence[bytes], *, error: int = 0) -> bytes:
    """One frame as the agent sends it; the readings are numbered in order."""
    readings = b"".join(
        struct.pack(">HHfI", number, error, 0.0, len(payload)) + payload for number, payload in enumerate(payloads)
    )
    body = struct.pack(">QddH", seq, 1000 + at, 1.7e9 + at, len(payloads)) + readings
    return struct.pack(">I", len(body)) + body


def net_dev(received: float, *, link: str = LINK) -> bytes:
    """/proc/net/dev of one link that received full packets with so much payload."""
    packets = int(received / 1448)
    size = int(received) + HEADERS * packets
    return f"{link}: {size} {packets} 0 0 0 0 0 0 5 3 0 0 0 0 0 0\n".encode()


def socket(received: float, *, algorithm: str = "cubic", sent: int = 0, retransmits: int = 0) -> bytes:
    """One test socket that received so much payload."""
    return f"{algorithm} {int(received)} {sent} {retransmits} ".encode()


Picture = Callable[[Seconds], Sequence[bytes]]


def steady(rate: BitsPerSecond, *, algorithm: str = "cubic", begins: Seconds = 0.2) -> Picture:
    """A link and a socket that carry `rate` from `begins` on, a packet more or less."""

    def picture(at: Seconds) -> Sequence[bytes]:
        carried = max(0.0, at - begins) * rate / 8 + (7 * at * 1e5) % 3000
        return net_dev(carried), socket(carried, algorithm=algorithm)

    return picture


class FakeClock:
    """Time passes by sleeping only; `then` holds what happens at which moment."""

    def __init__(self) -> None:
        """Begin at zero."""
        self.time: Seconds = 0.0
        self.then: dict[Seconds, Callable[[], None]] = {}

    def now(self) -> Seconds:
        """Seconds slept so far."""
        return self.time

    def sleep(self, seconds: Seconds) -> None:
        """Let the time pass, and what is due happen."""
        self.time += seconds
        for due in sorted(moment for moment in self.then if moment <= self.time):
            self.then.pop(due)()


class PicturedSampling:
    """A sampler that sees a new picture whenever it is looked at."""

    def __init__(self, host: "TrialHost", picture: Picture) -> None:
        """Begin at frame 0."""
        self._host = host
        self._picture = picture
        self._seq = 0
        self.stopped = False

    def take(self) -> bytes:
        """The next frame. Raises TargetError when the host is lost."""
        if self._host.closed:
            raise TargetError(f"the connection to {self._host.label} broke")
        at = self._seq / 10
        self._seq += 1
        return encoded(self._seq, at, self._picture(at))

    def stop(self) -> bytes:
        """The last frame."""
        self.stopped = True
        return self.take()


class TrackedProcess:
    """A program that runs, with its output complete only at its end."""

    def __init__(self, host: "TrialHost", command: Command, script: "Script") -> None:
        """Start it."""
        self._host = host
        self._script = script
        self._polls = 0
        self.command = command
        self.stopped = False

    @property
    def pid(self) -> int:
        """Its process id."""
        return self._script.pid

    def poll(self) -> ProcessState:
        """Running, until its script or a stop ends it. Raises TargetError when the host is lost."""
        if self._host.closed:
            raise TargetError(f"the connection to {self._host.label} broke")
        self._polls += 1
        ended = self.stopped or (self._script.polls is not None and self._polls > self._script.polls)
        code = self._script.exit_code if ended else None
        return ProcessState(
            pid=self.pid,
            started=5.0,
            exit_code=code,
            stdout=self._script.stdout if ended else b"",
            stderr=self._script.stderr if ended else b"",
        )

    def stop(self, *, grace: Seconds = 1.0) -> ProcessState:  # noqa: ARG002 - nothing to wait for
        """End it."""
        self.stopped = True
        return self.poll()


@dataclass(frozen=True, slots=True, kw_only=True)
class Script:
    """How a program behaves: it ends by itself after so many polls, or never, and has then printed this."""

    pid: int
    stdout: bytes = b""
    stderr: bytes = b""
    exit_code: int = 0
    polls: int | None = None


def iperf3(role: str, name: str, *, polls: int | None = None, exit_code: int = 0) -> Script:
    """An iperf3 that prints a recorded document at its end."""
    pid = PID[End.FAR if role == "server" else End.NEAR]
    return Script(pid=pid, stdout=(FIXTURES / name).read_bytes(), polls=polls, exit_code=exit_code)


class TrialHost(FakeHost):
    """A fake host with pictures for its sampler and a script for its one program."""

    def __init__(self, end: End, answer: Callable[[Request], Reply], picture: Picture, script: Script) -> None:
        """Hold all of it."""
        super().__init__(answer, label=f"host-{end}")
        self.picture = picture
        self.script = script
        self.samplings: list[PicturedSampling] = []
        self.processes: list[TrackedProcess] = []

    def sample(self, plan: SamplePlan) -> Sampling:
        """A sampler of the pictures."""
        super()._open()
        self.plans.append(plan)
        self.samplings.append(PicturedSampling(self, self.picture))
        return self.samplings[-1]

    def launch(self, command: Command) -> TrackedProcess:
        """The scripted program."""
        super()._open()
        self.launched.append(command)
        self.processes.append(TrackedProcess(self, command, self.script))
        return self.processes[-1]


def listening(*pids: int) -> Callable[[Request], Reply]:
    """Answers of a host on which these programs listen on the port; every other answer is the request's key."""

    def answer(request: Request) -> Reply:
        if isinstance(request, QueryCommand) and request.argv[0] == "ss":
            rows = (f'LISTEN 0 4096 192.0.2.2:5201 0.0.0.0:* users:(("x",pid={pid},fd=3))' for pid in pids)
            return Reply(request=request, status=Status.OK, payload="\n".join(rows).encode())
        return Reply(request=request, status=Status.OK, payload=request.key.encode())

    return answer


def picked(answers: dict[str, Reply]) -> Callable[[Request], Reply]:
    """Answers by key; the rest is absent."""
    return lambda request: answers.get(request.key) or Reply(request=request, status=Status.ABSENT)


class Ticks(Progress):
    """A progress that remembers what it was told."""

    def __init__(self) -> None:
        """Nothing yet."""
        self.events: list[AnyEvent] = []

    def tell(self, event: AnyEvent) -> None:
        """Remember it."""
        self.events.append(event)

    @property
    def phases(self) -> list[str]:
        """The names of the steps."""
        return [event.name for event in self.events if isinstance(event, PhaseBegan)]

    @property
    def rates(self) -> list[BitsPerSecond]:
        """What the receiver got, or the sender sent, at each look."""
        found = [event for event in self.events if isinstance(event, Sampled)]
        rates = [one.sent_bps if one.end is one.direction.sender else one.received_bps for one in found]
        return [rate for rate in rates if rate is not None]


@dataclass(slots=True, kw_only=True)
class Stage:
    """All that a trial needs, ready to be bent by a test."""

    clock: FakeClock = field(default_factory=FakeClock)
    progress: Ticks = field(default_factory=Ticks)
    near: TrialHost = field(
        default_factory=lambda: TrialHost(
            End.NEAR, listening(PID[End.NEAR]), steady(0), iperf3("client", "3.12_early_stop_client.json", exit_code=1)
        )
    )
    far: TrialHost = field(
        default_factory=lambda: TrialHost(
            End.FAR,
            listening(PID[End.FAR]),
            steady(FULL),
            iperf3("server", "3.12_early_stop_server.json", polls=3),
        )
    )

    @property
    def hosts(self) -> dict[End, TrialHost]:
        """Both hosts."""
        return {End.NEAR: self.near, End.FAR: self.far}

    def bench(self, *, sources: Iterable[Source] = SOURCES, bar: BitsPerSecond | None = 0.98 * FULL) -> Bench:
        """The bench of a trial between the two hosts, with iperf3 on both."""
        version = ProgramVersion(subject="iperf3", version="3.12")
        return Bench(
            parties={
                end: Party(end=end, host=host, link=LINK, address=ADDRESS[end]) for end, host in self.hosts.items()
            },
            sources=tuple(sources),
            generators=(GENERATOR,),
            versions={(end, "iperf3"): version for end in End},
            clock=self.clock,
            progress=self.progress,
            bar=bar,
        )


def run(stage: Stage, spec: TrialSpec = FORWARD, *, bar: float | None = 0.98 * FULL) -> TrialRecord:
    """One attempt on port 5201."""
    return trials.run(stage.bench(bar=bar), spec, "t1", PORTS, connect_within=3.0)


def output(record: TrialRecord, role: str) -> ProgramOutput:
    """The one output of a role."""
    (found,) = [one for one in record.outputs if one.role == role]
    return found


def names(record: TrialRecord, end: End) -> list[str]:
    """The moments of one end, in order."""
    return [moment.name for moment in record.moments if moment.end is end]


def running(host: TrialHost) -> int:
    """How many programs and samplers of a host were not ended."""
    programs = sum(one.poll().exit_code is None for one in host.processes)
    return programs + sum(not one.stopped for one in host.samplings)
