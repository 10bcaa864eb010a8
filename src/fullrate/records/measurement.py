"""Measurements as the JSON document shows them."""

from dataclasses import dataclass

from fullrate.records.ends import Direction, End
from fullrate.records.goodput import FULL_SHARE
from fullrate.records.trial import Bucket, Estimate, TrialKind
from fullrate.records.units import BitsPerSecond, Bytes, Seconds

FULL_CPU = 0.95  # of one CPU; what is left are ticks and the sampler
ABOVE = 1.005  # of the ceiling: a rate may be off by 0.2 %


@dataclass(frozen=True, slots=True, kw_only=True)
class LatencyReport:
    """How long answers took, of all trials together: count, mean, quantiles, and the whole histogram."""

    n: int  # trials
    count: int  # answers
    mean_seconds: Seconds
    min_seconds: Seconds
    p50_seconds: Seconds
    p90_seconds: Seconds
    p99_seconds: Seconds
    p999_seconds: Seconds
    max_seconds: Seconds
    histogram: tuple[Bucket, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class EndLoad:
    """What the CPUs of one end did in a trial; 1.0 is all of one CPU's time. Two ends on one kernel show the same."""

    busiest: float  # the busiest CPU's share that was not idle
    busy: float  # of all CPUs together, in CPUs
    softirq: float  # of that, the network's and other softirqs
    steal: float  # of that, what the hypervisor gave to others
    clocks_hz: tuple[float, ...] = ()  # of the busiest CPU while traffic ran, a trial each; none: it is not said here
    heat_events: int = 0  # how often a CPU was slowed down for heat meanwhile, where the hardware counts it


@dataclass(frozen=True, slots=True, kw_only=True)
class Measurement:
    """The trials of one kind and direction taken together.

    `throughput_bps` is TCP payload at the receiver, by its kernel's counters, or UDP payload that the receiving program
    read, the warm-up left out; None when no trial gave one. `engine_bps` is the traffic program's own figure over the
    same inner window. `series_bps` is its course: for each trial that gave one, the mean of every `step_seconds`, None
    where too little of a step was seen.
    """

    id: str
    kind: str
    direction: Direction
    protocol: str
    streams: int
    trials: tuple[str, ...]
    throughput_bps: Estimate | None
    ceiling_bps: BitsPerSecond | None
    engine_bps: BitsPerSecond | None = None
    engine_difference: float | None = None  # (engine - kernel) / kernel
    retransmit_ratio: float | None = None
    asked_bps: BitsPerSecond | None = None  # UDP: what was sent, or tried to; the ceiling is no higher
    lost_ratio: float | None = None  # UDP, of the newest trial, as the traffic program counts gaps
    jitter_seconds: Seconds | None = None  # UDP, of the newest trial
    datagram_bytes: Bytes | None = None  # UDP payload of one datagram; None: as the program has it
    buffer_bytes: Bytes | None = None  # asked for the test's sockets; None: as the kernel has it
    steady: bool | None = False  # None: only the total of the test is known
    seconds: Seconds = 0.0
    warm_up_seconds: Seconds = 0.0
    series_bps: tuple[tuple[BitsPerSecond | None, ...], ...] = ()
    step_seconds: Seconds | None = None
    program: str | None = None
    self_limited: bool = False  # the program filled a CPU itself and could be better made: less than full says nothing
    congestion_control: str | None = None
    told: bool = False  # by the traffic program's own figures alone: no kernel's counters are there
    processes: int = 1  # pairs of programs that the streams were dealt out to
    near_cpus: tuple[int, ...] = ()  # that its processes were kept on; empty: where the kernel liked
    far_cpus: tuple[int, ...] = ()
    write_bytes: Bytes | None = None  # asked for each write of the program; None: as the program has it
    asked_congestion_control: str | None = None
    asked_program: str | None = None  # the generator that the test named; None: the first that could
    near_load: EndLoad | None = None  # of the newest trial
    far_load: EndLoad | None = None
    search: bool = False  # one of the rates tried to find the highest that loses nothing
    dips: int | None = None  # whole seconds of all trials below 90 % of their median
    drift: float | None = None  # how much faster the last third of many trials was than the first, of the median
    skip_copy: bool = False  # the receiver did not read the payload: a ceiling of the path, no program's rate
    load: Direction | None = None  # bulk TCP went this way meanwhile
    beside: str = ""  # what ran at the same time: "the other way", or requests
    within: End | None = None  # both programs were on this host: no link was in it
    latency: LatencyReport | None = None
    disk_path: str = ""  # the folder whose disk was tested; nothing was sent
    disk_read_bps: BitsPerSecond | None = None
    disk_write_bps: BitsPerSecond | None = None
    path_mtu_bytes: Bytes | None = None  # the largest IP packet that came through uncut
    socket_drops: int | None = None  # UDP: what the receiver's kernel dropped at full sockets, of the newest trial
    other_bps: BitsPerSecond | None = None  # what else the receiver's link carried meanwhile
    packets_per_second: float | None = None  # UDP datagrams that the receiver read
    failure: str = ""
    warnings: tuple[str, ...] = ()

    @property
    def has_room(self) -> bool:
        """Whether the link could have carried more, as far as its ceiling is known."""
        rate, best = self.throughput_bps, self.ceiling_bps
        return rate is not None and (best is None or rate.median < FULL_SHARE * best)

    @property
    def loads(self) -> tuple[EndLoad, ...]:
        """What the CPUs of both ends did, as far as it was seen."""
        return tuple(load for load in (self.near_load, self.far_load) if load is not None)

    @property
    def is_cpu_bound(self) -> bool:
        """Whether some CPU was full and the link was not: then the rate depends on what else the machine does."""
        return self.has_room and any(load.busiest >= FULL_CPU for load in self.loads)

    @property
    def is_above(self) -> bool:
        """Whether the rate is more than the link can carry."""
        rate, best = self.throughput_bps, self.ceiling_bps
        return rate is not None and best is not None and rate.median > ABOVE * best

    @property
    def counts(self) -> bool:
        """Whether a verdict may rest on it: bulk traffic that had the link to itself and was read.

        UDP of a program that was named is sent to see what it does, not to see whether all of it arrives.
        """
        alone = not self.beside and self.within is None and not self.skip_copy and not self.search
        return self.kind == TrialKind.BULK and alone and not (self.protocol == "udp" and self.asked_program)
