"""Measurements as the JSON document shows them."""

from dataclasses import dataclass

from fullrate.records.ends import Direction
from fullrate.records.trial import Estimate
from fullrate.records.units import BitsPerSecond, Bytes, Seconds


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
    failure: str = ""
    warnings: tuple[str, ...] = ()
