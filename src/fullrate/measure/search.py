"""The highest rate of UDP that loses nothing: which rate to try next, and what those that were tried came to. Pure."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from fullrate.records.measurement import Measurement
from fullrate.records.numbers import Capacity
from fullrate.records.units import BitsPerSecond

LOSS_FREE = 0.001  # of the datagrams: a test of a second may lose a few at its start
_REACHED = 0.98  # of the rate asked for; a sender that is slower was not able to
_CLOSE = 1.05  # between the highest that lost nothing and the lowest that did
_MOST = 10  # rates
_BELOW = 0.95  # of what arrived when too much was sent
_ABOVE = 1.03  # of the same
_LEAST: BitsPerSecond = 100e3  # below it nothing gets through


@dataclass(frozen=True, slots=True, kw_only=True)
class Tried:
    """One rate and what became of it; `arrived` None: the test gave nothing."""

    rate: BitsPerSecond
    arrived: BitsPerSecond | None
    lost: float | None

    @property
    def good(self) -> bool:
        """Whether all of it arrived."""
        return self.arrived is not None and (self.lost or 0.0) <= LOSS_FREE and self.arrived >= _REACHED * self.rate


def next_rate(tried: Sequence[Tried], top: BitsPerSecond) -> BitsPerSecond | None:
    """The rate to try after these, at most `top`; None when it is known well enough, or a test gave nothing."""
    if not tried:
        return top
    if tried[-1].arrived is None or len(tried) >= _MOST:
        return None
    low = _highest_good(tried)
    least = min((one for one in tried if not one.good and one.rate > low), key=lambda one: one.rate, default=None)
    if least is None or least.rate <= _CLOSE * low:
        return None
    rate = _between(low, least) if low else _lower(least, first=len(tried) == 1)
    return rate if rate >= _LEAST else None


def _highest_good(tried: Sequence[Tried]) -> BitsPerSecond:
    """The highest rate that lost nothing; 0 when all did."""
    return max((one.rate for one in tried if one.good), default=0.0)


def _lower(lossy: Tried, *, first: bool) -> BitsPerSecond:
    """Below what arrived of too much; where that was tried, half of it, for a receiver may drown."""
    below = _BELOW * (lossy.arrived or 0.0)
    return below if first else min(below, lossy.rate / 2)


def _between(low: BitsPerSecond, lossy: Tried) -> BitsPerSecond:
    """Just above what arrived of too much, for that is about the limit; else half way, as rates go."""
    middle, guess = math.sqrt(low * lossy.rate), _ABOVE * (lossy.arrived or 0.0)
    return min(middle, guess) if guess > low else middle


def tried_of(measurements: Iterable[Measurement]) -> tuple[Tried, ...]:
    """The rates that a search tried, in order."""
    return tuple(
        Tried(
            rate=one.asked_bps,
            arrived=None if one.throughput_bps is None else one.throughput_bps.median,
            lost=one.lost_ratio,
        )
        for one in measurements
        if one.search and one.asked_bps is not None
    )


def capacities(measurements: Sequence[Measurement]) -> tuple[Capacity, ...]:
    """What each search found, by direction and size of the datagrams."""
    searches = dict.fromkeys((one.direction, one.datagram_bytes) for one in measurements if one.search)
    return tuple(
        _capacity([one for one in measurements if one.search and (one.direction, one.datagram_bytes) == search])
        for search in searches
    )


def _capacity(found: Sequence[Measurement]) -> Capacity:
    tried = tried_of(found)
    best = max(
        (pair for pair in zip(tried, found, strict=True) if pair[0].good), key=lambda pair: pair[0].rate, default=None
    )
    low = _highest_good(tried)
    return Capacity(
        direction=found[0].direction,
        datagram_bytes=found[0].datagram_bytes,
        loss_free_bps=None if best is None else best[0].arrived,
        lossy_bps=min((one.rate for one in tried if not one.good and one.rate > low), default=None),
        packets_per_second=None if best is None else best[1].packets_per_second,
        tried=len(tried),
    )
