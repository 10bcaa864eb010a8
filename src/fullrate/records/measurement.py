"""Measurements as the JSON document shows them."""

from dataclasses import dataclass

from fullrate.records.ends import Direction, End
from fullrate.records.trial import Bucket, Estimate, TrialKind
from fullrate.records.units import BitsPerSecond, Bytes, Seconds


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
class Measurement:
    """The trials of one kind and direction taken together.

    `throughput_bps` is TCP payload at the receiver, by its kernel's counters, or UDP payload that the receiving program
    read, the warm-up left out; None when no trial gave one. `engine_bps` is the traffic program's own figure over the
    same inner window.
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
    program: str | None = None
    self_limited: bool = False  # the program filled a CPU itself and could be better made: less than full says nothing
    congestion_control: str | None = None
    told: bool = False  # by the traffic program's own figures alone: no kernel's counters are there
    processes: int = 1  # pairs of programs that the streams were dealt out to
    near_cpus: tuple[int, ...] = ()  # that its processes were kept on; empty: where the kernel liked
    far_cpus: tuple[int, ...] = ()
    write_bytes: Bytes | None = None  # asked for each write of the program; None: as the program has it
    asked_congestion_control: str | None = None
    skip_copy: bool = False  # the receiver did not read the payload: a ceiling of the path, no program's rate
    load: Direction | None = None  # bulk TCP went this way meanwhile
    beside: str = ""  # what ran at the same time: "the other way", or requests
    within: End | None = None  # both programs were on this host: no link was in it
    latency: LatencyReport | None = None
    path_mtu_bytes: Bytes | None = None  # the largest IP packet that came through uncut
    packets_per_second: float | None = None  # UDP datagrams that the receiver read
    failure: str = ""
    warnings: tuple[str, ...] = ()

    @property
    def counts(self) -> bool:
        """Whether a verdict may rest on it: bulk traffic that had the link to itself and was read."""
        alone = not self.beside and self.within is None and not self.skip_copy
        return self.kind == TrialKind.BULK and alone
