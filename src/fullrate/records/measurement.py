"""Measurements as the JSON document shows them."""

from dataclasses import dataclass

from fullrate.records.ends import Direction
from fullrate.records.trial import Estimate
from fullrate.records.units import BitsPerSecond, Seconds


@dataclass(frozen=True, slots=True, kw_only=True)
class Measurement:
    """The trials of one kind and direction taken together.

    `throughput_bps` is TCP or UDP payload at the receiver, by its kernel's counters, the warm-up left out;
    None when no trial gave one. `engine_bps` is the traffic program's own figure over the same inner window.
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
    lost_ratio: float | None = None  # UDP, of the newest trial, as the traffic program counts gaps
    steady: bool | None = False  # None: only the total of the test is known
    seconds: Seconds = 0.0
    warm_up_seconds: Seconds = 0.0
    program: str | None = None
    congestion_control: str | None = None
    told: bool = False  # by the traffic program's own figures alone: no kernel's counters are there
    failure: str = ""
    warnings: tuple[str, ...] = ()
