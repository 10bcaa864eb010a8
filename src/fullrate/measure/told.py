"""A trial of which there is only what its traffic program told: no frames of any kernel, as in a pasted report. Pure.

The rate is the receiver's where it counted, else the sender's. With enough intervals the usual statistics hold for
them, in steps of their own length; of a total alone the interval is as wide as what it can hide.
"""

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass, replace

from fullrate.measure import stats
from fullrate.records.recording import TrialRecord
from fullrate.records.trial import EngineFailure, EngineResult, Estimate, Interval, Sample, Trial, TrialSpec
from fullrate.records.units import BITS_PER_BYTE, BitsPerSecond, Bytes, Seconds

_LEAST_SHOWN = 3  # intervals, to tell how much they differ
_LEAST_COVER = 0.5  # of the time that a total is of, by intervals: a few of many do not stand for all
_MOST_STEPS = 1000  # that one row is counted as: a row of hours is one long step, not a million samples
_PARTIAL = 0.5  # of the usual length: the last row of a run is shorter
ROUNDING = 0.005  # of a rate printed with three digits: 1.00 may be 1.005
# What a total hides: it understates the rate by the start of the flow, by 2 to 12 % within 5 s, 0 to 7 % within 10 s,
# 0 to 2.4 % within 30 s (measured on delayed paths): at most some 0.7 s of every run.
_START: Seconds = 0.7
# A sender's total holds what still stood in its socket: tcp_wmem's third value is 4 MB at most unless it was set
# (tcp_init, net/ipv4/tcp.c).
_SOCKET: Bytes = 4 * 1024 * 1024
_SEGMENT: Bytes = 1448  # TCP payload of a frame at MTU 1500 with timestamps, where the program does not name its MSS
_NOTABLE = 0.02  # by which a sender's total exceeds its receiver's, to be said


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """What a program's own figures come to."""

    throughput: Estimate
    series: tuple[Sample, ...] = ()
    warm_up: Seconds = 0.0
    steady: bool | None = None  # None: only a total is known
    settled: bool = False


def read_told(record: TrialRecord, engine: EngineResult) -> Trial:
    """The trial by its program's own figures; without any it says why. What came before somebody stopped it holds."""
    if engine.failure is EngineFailure.INTERRUPTED and (engine.sent or engine.received):
        engine = replace(engine, failure=None)
    found = figures(engine, record.spec) if engine.failure is None and not record.failure else None
    if found is None:
        failure = record.failure or engine.message or _why_none(record.spec, engine)
        return Trial(id=record.id, spec=record.spec, engine=engine, failure=failure, port=record.port)
    return Trial(
        id=record.id,
        spec=record.spec,
        engine=engine,
        series=found.series,
        warm_up=found.warm_up,
        throughput=found.throughput,
        engine_throughput=found.throughput.median,
        steady=found.steady,
        settled=found.settled,
        retransmit_ratio=_retransmit_ratio(record.spec, engine, found),
        told=True,
        port=record.port,
        warnings=_warnings(record.spec, engine, found),
    )


def figures(engine: EngineResult, spec: TrialSpec) -> Figures | None:
    """The rate with its interval; None where the program told none. What arrives of UDP only its receiver counts."""
    rows = engine.received or (engine.sent if spec.protocol == "tcp" else ())
    few, total = _are_few(rows, engine.seconds or 0.0), _total(engine, spec)
    if not rows or (few and total is not None):
        return None if total is None else Figures(throughput=total)
    return _of_few(rows) if few else _of_rows(rows)


def _are_few(rows: Sequence[Interval], seconds: Seconds) -> bool:
    """Whether intervals do not stand for the whole of a run."""
    return len(rows) < _LEAST_SHOWN or sum(row.end - row.start for row in rows) < _LEAST_COVER * seconds


def _of_rows(rows: Sequence[Interval]) -> Figures:
    """From intervals: the warm-up left out, the rest by the usual statistics."""
    step = statistics.median(row.end - row.start for row in rows)
    rates = _rates(rows, step)
    found = stats.look(rates, step=step, batch=_batch(step))
    kept = rates[found.warm_up_samples :]
    half_width = found.half_width if math.isfinite(found.half_width) else _half_width(kept)
    return Figures(
        throughput=_about(found.mean, max(half_width, ROUNDING * found.mean)),
        series=tuple(Sample(at=row.end, seconds=row.end - row.start, throughput=row.throughput) for row in rows),
        warm_up=found.warm_up_samples * step,
        steady=stats.steady(kept, step=min(step, 1.0)),
        settled=found.meets(stats.TARGET),
    )


def _rates(rows: Sequence[Interval], step: Seconds) -> tuple[BitsPerSecond, ...]:
    """A rate for each step; the short row at the end is left out, a long one counts several times."""
    whole = [(row, (row.end - row.start) / step) for row in rows]
    return tuple(
        row.throughput for row, steps in whole if steps >= _PARTIAL for _ in range(min(_MOST_STEPS, round(steps)))
    )


def _batch(step: Seconds) -> int:
    """As many steps as the usual batch of half a second holds, at least one."""
    return max(1, round(stats.BATCH_SECONDS / step))


def _half_width(kept: Sequence[BitsPerSecond]) -> BitsPerSecond:
    """Student's, of so few that their correlation cannot be told; of one, all of it."""
    if len(kept) < 2:  # noqa: PLR2004 - a spread needs two
        return sum(kept)
    return stats.student_t(len(kept) - 1) * statistics.stdev(kept) / math.sqrt(len(kept))


def _of_few(rows: Sequence[Interval]) -> Figures:
    """One or two intervals and no total: they may be the start of the run, and each stands for as much as the other."""
    seconds = sum(row.end - row.start for row in rows)
    mean = sum(row.throughput * (row.end - row.start) for row in rows) / seconds
    apart = max(row.throughput for row in rows) - min(row.throughput for row in rows)
    found = _unseen(mean, seconds)
    low, high = max(0.0, found.ci_low - apart), found.ci_high + apart
    series = tuple(Sample(at=row.end, seconds=row.end - row.start, throughput=row.throughput) for row in rows)
    return Figures(throughput=Estimate(n=1, median=mean, ci_low=low, ci_high=high), series=series)


def _total(engine: EngineResult, spec: TrialSpec) -> Estimate | None:
    """The rate by the program's total."""
    seconds = engine.seconds or 0.0
    if seconds <= 0:
        return None
    if engine.total_received is not None:
        return _unseen(engine.total_received, seconds)
    if engine.total_sent is None or spec.protocol != "tcp":
        return None
    found, queued = _unseen(engine.total_sent, seconds), _SOCKET * spec.streams * BITS_PER_BYTE / seconds
    return Estimate(n=1, median=found.median, ci_low=max(0.0, found.ci_low - queued), ci_high=found.ci_high)


def _unseen(rate: BitsPerSecond, seconds: Seconds) -> Estimate:
    """A mean whose course is not known: exact but for its digits, the rate once the flow had started maybe higher."""
    low, high = rate * (1 - ROUNDING), rate * (1 + ROUNDING)
    return Estimate(n=1, median=rate, ci_low=low, ci_high=high * seconds / max(seconds - _START, seconds / 2))


def _about(rate: BitsPerSecond, half_width: BitsPerSecond) -> Estimate:
    return Estimate(n=1, median=rate, ci_low=max(0.0, rate - half_width), ci_high=rate + half_width)


def _retransmit_ratio(spec: TrialSpec, engine: EngineResult, found: Figures) -> float | None:
    """Retransmits to segments: the program counts the former, the latter follow from the bytes."""
    seconds = engine.seconds or sum(row.end - row.start for row in engine.sent)
    if engine.retransmits is None or spec.protocol != "tcp" or not seconds:
        return None
    size = (engine.total_sent or found.throughput.median) * seconds / BITS_PER_BYTE
    segments = size / (engine.mss or _SEGMENT) + engine.retransmits
    return engine.retransmits / segments if segments else None


def _why_none(spec: TrialSpec, engine: EngineResult) -> str:
    if engine.failure is not None:
        return f"{engine.program} failed: {engine.failure}"
    if spec.protocol == "udp" and (engine.sent or engine.total_sent):
        return "what arrives of udp only its receiver counts: show what the server printed, or the client's last lines"
    return f"{engine.program} told no rate"


def _warnings(spec: TrialSpec, engine: EngineResult, found: Figures) -> tuple[str, ...]:
    """By whom the rate was counted, and what the two totals say together."""
    way, received = spec.direction.words, bool(engine.received or engine.total_received is not None)
    by = "receiver" if received else "sender, which also counts what still stood in its socket"
    texts = [f"the rate {way} is what {engine.program} itself counted at the {by}: no kernel's counters are given"]
    if found.steady is None:
        texts.append(f"only a total or a few seconds are given {way}: whether the rate was steady is not known")
    if spec.protocol == "tcp" and engine.total_sent and engine.total_received is not None:
        left = 1 - engine.total_received / engine.total_sent
        if left > _NOTABLE:
            texts.append(f"{left:.0%} of what was sent {way} had not arrived when the test ended: it stood in buffers")
    return tuple(texts)
