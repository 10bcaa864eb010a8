"""Trials: what is to run, what the traffic program said, what both ends showed meanwhile."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from fullrate.records.ends import Direction, End
from fullrate.records.snapshot import Window
from fullrate.records.units import BitsPerSecond, Bytes, Seconds


class TrialKind(StrEnum):
    """What a trial sends."""

    IDLE = "idle"  # nothing: what does the link carry already?
    BULK = "bulk"  # as much as goes through
    LATENCY = "latency"  # one request after the other: how long until each is answered?
    DISK = "disk"  # nothing: how fast are a folder's files written and read?
    PATH_MTU = "path_mtu"  # datagrams that no router may cut: how large may they be?


@dataclass(frozen=True, slots=True, kw_only=True)
class TrialSpec:
    """One run to be made. The far end serves, unless `near_serves` swaps the roles.

    With `direction` BOTH and bulk traffic each way has flows of its own, at the same time; requests go near to far.
    """

    kind: TrialKind
    direction: Direction = Direction.BOTH
    protocol: str = "tcp"
    streams: int = 1
    rate: BitsPerSecond | None = None  # of all streams together; None: unlimited
    max_seconds: int = 20
    near_serves: bool = False
    datagram: Bytes | None = None  # UDP payload of one; None: as the program has it
    buffer: Bytes | None = None  # of the test's sockets; None: as the program and the kernel have it
    processes: int = 1  # pairs of programs that the streams are dealt out to
    near_cpus: tuple[int, ...] = ()  # process i of that end is kept on the i-th, in turn; empty: where the kernel likes
    far_cpus: tuple[int, ...] = ()
    write: Bytes | None = None  # handed to the kernel in one call; None: as the program has it
    congestion_control: str | None = None  # asked for this test's sockets; None: as the host has it
    skip_copy: bool = False  # the receiver has the kernel throw the payload away: the path's ceiling, no program's rate
    load: Direction | None = None  # bulk TCP goes this way meanwhile
    beside: str = ""  # what ran at the same time and is a trial of its own: the other way, requests
    within: End | None = None  # both programs are on this host: what its CPU and kernel do without a link
    path: str = ""  # of a disk's test: the folder
    program: str | None = None  # the generator to take; None: the first that can
    whole: bool = False  # runs for `max_seconds`, also when its rate is known sooner
    search: bool = False  # one of the rates that are tried to find the highest that loses nothing

    @property
    def sends(self) -> bool:
        """Whether this trial starts programs that put load on something."""
        return self.kind is not TrialKind.IDLE

    @property
    def usual(self) -> bool:
        """Whether a verdict may rest on it: nothing about it is special, and it has the link to itself."""
        special = (self.processes > 1, self.near_cpus, self.far_cpus, self.write, self.congestion_control, self.program)
        company = (self.skip_copy, self.load, self.beside, self.within, self.search)
        both = self.kind is TrialKind.BULK and self.direction is Direction.BOTH
        return self.kind in {TrialKind.IDLE, TrialKind.BULK} and not any((*special, *company, both))

    @property
    def server(self) -> End:
        """The end the traffic program listens on."""
        return End.NEAR if self.near_serves else End.FAR

    @property
    def reverse(self) -> bool:
        """Whether the server sends."""
        return self.direction.sender is self.server

    @property
    def label(self) -> str:
        """The trial in a few words."""
        if self.kind is TrialKind.IDLE:
            return "the link at rest"
        if self.kind in {TrialKind.PATH_MTU, TrialKind.DISK}:
            return f"disk of {self.path} on the {self.within} end" if self.path else "path MTU"
        what = "requests" if self.kind is TrialKind.LATENCY else self._flows
        where = f"within the {self.within} end" if self.within else _WAYS[self.direction]
        under = f", with bulk TCP {_WAYS[self.load]}" if self.load else ""
        return f"{self.protocol} {what} {where}{under}"

    @property
    def _flows(self) -> str:
        flows = "1 flow" if self.streams == 1 else f"{self.streams} flows"
        return flows if self.processes == 1 else f"{flows} of {self.processes} processes"


_WAYS = {Direction.NEAR_TO_FAR: "near to far", Direction.FAR_TO_NEAR: "far to near", Direction.BOTH: "both ways"}
IDLE = TrialSpec(kind=TrialKind.IDLE)


class EngineFailure(StrEnum):
    """Why a traffic program gave no measurement."""

    BUSY = "busy"  # the server is running another test
    REFUSED = "refused"  # nobody listens on the control port
    UNREACHABLE = "unreachable"  # no answer: filtered, or no route
    PORT_IN_USE = "port_in_use"  # the server could not bind
    INTERRUPTED = "interrupted"  # we stopped it: intervals hold, totals do not
    TOO_LARGE = "too_large"  # a datagram does not fit the path, as a router said
    LOCKED = "locked"  # the server tests only for users that it knows
    OPTION = "option"  # this build does not know or allow an option
    MISSING = "missing"  # the program is not installed
    OTHER = "other"


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """Payload carried between two moments, seconds from the program's start."""

    start: Seconds
    end: Seconds
    throughput: BitsPerSecond
    retransmits: int | None = None
    cwnd: float | None = None  # bytes, of all streams together, at its end
    rtt: Seconds | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Bucket:
    """How many answers took no longer than `upper`, and longer than the bucket before."""

    upper: Seconds
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Latency:
    """How long the answers to requests took, one request at a time; `histogram` ascends and holds them all."""

    count: int
    mean: Seconds
    minimum: Seconds
    maximum: Seconds
    histogram: tuple[Bucket, ...]

    def quantile(self, share: float) -> Seconds:
        """The time within which this share of the answers came: the upper edge of its bucket, at most the maximum."""
        wanted, seen = share * self.count, 0
        for bucket in self.histogram:
            seen += bucket.count
            if seen >= wanted:
                return min(bucket.upper, self.maximum)
        return self.maximum


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineResult:
    """What the traffic program itself reports; `received` is counted by the receiver, `sent` by the sender.

    Totals are None after an early stop (iperf3 then prints wrong ones); the intervals hold.
    """

    program: str  # e.g. iperf3
    client_version: str | None = None
    server_version: str | None = None
    failure: EngineFailure | None = None
    message: str = ""  # the program's own words
    sent: tuple[Interval, ...] = ()
    received: tuple[Interval, ...] = ()
    total_received: BitsPerSecond | None = None
    total_sent: BitsPerSecond | None = None
    seconds: Seconds | None = None  # that the totals are of
    retransmits: int | None = None
    mss: int | None = None
    congestion_control: str | None = None
    lost_ratio: float | None = None  # UDP, as the receiver counts gaps; 1.0 when nothing came of what was sent
    jitter: Seconds | None = None  # UDP, as the receiver smooths it (RFC 3550, 6.4.1), the median of its intervals
    client_cpu: float | None = None  # of one CPU, the program alone, 1.0 = one core
    server_cpu: float | None = None
    self_limited: bool = False  # its processes filled a CPU and could be better made: the rate may be their limit
    latency: Latency | None = None  # of requests
    disk_read: BitsPerSecond | None = None
    disk_write: BitsPerSecond | None = None
    path_mtu: Bytes | None = None  # the largest IP packet that came through uncut
    packets: float | None = None  # UDP datagrams a second that the receiver read
    client_address: str | None = None
    server_address: str | None = None
    older_than: str | None = None  # a version that the words of its text show it to be older than
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """Payload the receiver's kernel counted in one sampling step; `at` is its monotonic clock at the step's end."""

    at: Seconds
    seconds: Seconds
    throughput: BitsPerSecond


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """A median with a 95 % interval; `n` independent trials, 1 when the interval comes from within one."""

    n: int
    median: BitsPerSecond
    ci_low: BitsPerSecond
    ci_high: BitsPerSecond

    @property
    def wanders(self) -> bool:
        """Whether the interval is wider than the rate: that grew or fell all the time, and has no one value to find."""
        return self.ci_high - self.median > self.median > 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """One run as measured. `windows` span its steady part for sampled facts, its whole for the others."""

    id: str
    spec: TrialSpec
    engine: EngineResult | None = None
    series: tuple[Sample, ...] = ()  # the receiver's kernel counters (the sender's where it is not seen), with warm-up
    warm_up: Seconds = 0.0  # left out of `throughput`
    throughput: Estimate | None = None
    engine_throughput: BitsPerSecond | None = None  # the program's figure over the common inner window
    engine_difference: float | None = None  # (program - kernel) / kernel over that window
    steady: bool | None = False  # no 1 s interval below 90 % of the median; None: only its total is known
    settled: bool = False  # the stopping rule was satisfied
    retransmit_ratio: float | None = None
    windows: Mapping[End, Window] = field(default_factory=dict)
    failure: str = ""  # why there is no measurement, in one sentence
    blocked: bool = False  # the server listened, the client got no answer from it: filtered on the way
    port: int | None = None
    other_throughput: BitsPerSecond | None = None  # what else the receiver's link carried meanwhile
    sampler_gap: Seconds = 0.0  # longest time between two frames
    told: bool = False  # by its program's own figures alone: nothing of any kernel is there
    warnings: tuple[str, ...] = ()  # how its rate was counted, where that is not the usual way
