"""Trials of one kind taken together. Pure."""

import statistics
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from fullrate.measure import stats
from fullrate.measure.course import course
from fullrate.measure.drops import socket_drops
from fullrate.measure.load import end_load
from fullrate.measure.series import STEP
from fullrate.records.ends import Direction, End
from fullrate.records.measurement import LatencyReport, Measurement
from fullrate.records.trial import Bucket, EngineResult, Estimate, Latency, Trial, TrialKind, TrialSpec
from fullrate.records.units import BitsPerSecond, Seconds

_LEAST_THIRD = 2  # trials


def summarise(trials: Sequence[Trial], ceilings: Mapping[Direction, BitsPerSecond]) -> tuple[Measurement, ...]:
    """One measurement for each kind, direction, protocol and number of streams, in the order first made.

    Programs that tell but their own figures may differ for reasons of their own, and what somebody else asked of UDP is
    one rate or another: each is one apart.
    """
    groups: dict[tuple[object, ...], list[Trial]] = {}
    for trial in trials:
        if trial.spec.sends:
            groups.setdefault(_kind(trial), []).append(trial)
    return tuple(_summarise(f"m{number}", group, ceilings) for number, group in enumerate(groups.values(), 1))


def _kind(trial: Trial) -> tuple[object, ...]:
    """What trials of one measurement have in common: all but where they met, how long they took and what fitted."""
    told = trial.engine.program if trial.told and trial.engine else ""
    datagram = trial.spec.datagram if trial.spec.program else None
    return replace(trial.spec, max_seconds=0, near_serves=False, datagram=datagram, buffer=None), told


def _summarise(name: str, group: Sequence[Trial], ceilings: Mapping[Direction, BitsPerSecond]) -> Measurement:
    spec = group[0].spec
    good = [trial for trial in group if not trial.failure]
    last = good[-1] if good else group[-1]
    engine = last.engine or EngineResult(program="")
    shown = course(good)
    found = Measurement(
        id=name,
        kind=spec.kind,
        direction=spec.direction,
        protocol=spec.protocol,
        streams=spec.streams,
        trials=tuple(trial.id for trial in group),
        throughput_bps=_throughput(good),
        ceiling_bps=ceilings.get(spec.direction) if _has_ceiling(spec) else None,
        engine_bps=last.engine_throughput,
        engine_difference=last.engine_difference,
        retransmit_ratio=last.retransmit_ratio,
        asked_bps=spec.rate if spec.protocol == "udp" else None,
        lost_ratio=engine.lost_ratio,
        jitter_seconds=engine.jitter,
        datagram_bytes=last.spec.datagram,
        buffer_bytes=last.spec.buffer,
        steady=_steady(good),
        seconds=_measured_seconds(good),
        warm_up_seconds=sum(trial.warm_up for trial in good),
        series_bps=shown.runs,
        step_seconds=shown.step,
        program=_program(engine),
        self_limited=any(map(_limits_itself, good)),
        congestion_control=engine.congestion_control,
        told=last.told,
        failure="" if good else last.failure,
        warnings=(*engine.warnings, *last.warnings),
    )
    return _with_company(_with_special(found, spec, engine), group, last)


def _with_special(found: Measurement, spec: TrialSpec, engine: EngineResult) -> Measurement:
    """The measurement with what was special about its tests, and what only they tell."""
    return replace(
        found,
        processes=spec.processes,
        near_cpus=spec.near_cpus,
        far_cpus=spec.far_cpus,
        write_bytes=spec.write,
        asked_program=spec.program,
        asked_congestion_control=spec.congestion_control,
        skip_copy=spec.skip_copy,
        load=spec.load,
        beside=spec.beside,
        within=spec.within,
        search=spec.search,
        disk_path=spec.path,
        disk_read_bps=engine.disk_read,
        disk_write_bps=engine.disk_write,
        path_mtu_bytes=engine.path_mtu,
        packets_per_second=engine.packets,
    )


def _with_company(found: Measurement, group: Sequence[Trial], last: Trial) -> Measurement:
    """The measurement with what the hosts did meanwhile, of its newest trial, and the course of all its trials."""
    good = [trial for trial in group if not trial.failure]
    receiver = last.windows.get(found.direction.receiver)
    tried = (*(trial for trial in group if trial is not last), last)
    return replace(
        found,
        latency=_latency([trial.engine.latency for trial in group if trial.engine and trial.engine.latency]),
        socket_drops=socket_drops(receiver) if found.protocol == "udp" else None,
        other_bps=last.other_throughput,
        near_load=end_load([trial.windows.get(End.NEAR) for trial in tried]),
        far_load=end_load([trial.windows.get(End.FAR) for trial in tried]),
        dips=_dips(good),
        drift=_drift(good),
    )


def _has_ceiling(spec: TrialSpec) -> bool:
    """Whether what was measured is what the link's ceiling is reckoned for."""
    return spec.kind is TrialKind.BULK and spec.within is None and not (spec.protocol == "udp" and spec.program)


def _rates(trial: Trial) -> tuple[BitsPerSecond, ...]:
    """A trial's whole seconds after its warm-up."""
    rates = [sample.throughput for sample in trial.series]
    return stats.whole_second_means(rates[round(trial.warm_up / STEP) :])


def _dips(trials: Sequence[Trial]) -> int | None:
    """How many whole seconds of all trials lie below 90 % of their median; None where no trial has a whole second."""
    seconds = [rate for trial in trials for rate in _rates(trial)]
    bar = stats.STEADY_SHARE * statistics.median(seconds) if seconds else 0.0
    return sum(rate < bar for rate in seconds) if seconds else None


def _drift(trials: Sequence[Trial]) -> float | None:
    """The last third's median over the first's, less one; None of fewer than six trials."""
    rates = [trial.throughput.median for trial in trials if trial.throughput is not None]
    third = len(rates) // 3
    if third < _LEAST_THIRD or statistics.median(rates[:third]) <= 0:
        return None
    return statistics.median(rates[-third:]) / statistics.median(rates[:third]) - 1


def _latency(told: Sequence[Latency]) -> LatencyReport | None:
    """All answers of some trials together."""
    if not told:
        return None
    counts = Counter[Seconds]()
    for one in told:
        counts.update({bucket.upper: bucket.count for bucket in one.histogram})
    count = sum(one.count for one in told)
    every = Latency(
        count=count,
        mean=sum(one.mean * one.count for one in told) / count if count else 0.0,
        minimum=min(one.minimum for one in told),
        maximum=max(one.maximum for one in told),
        histogram=tuple(Bucket(upper=upper, count=counts[upper]) for upper in sorted(counts)),
    )
    return LatencyReport(
        n=len(told),
        count=count,
        mean_seconds=every.mean,
        min_seconds=every.minimum,
        p50_seconds=every.quantile(0.5),
        p90_seconds=every.quantile(0.9),
        p99_seconds=every.quantile(0.99),
        p999_seconds=every.quantile(0.999),
        max_seconds=every.maximum,
        histogram=every.histogram,
    )


def _throughput(trials: Sequence[Trial]) -> Estimate | None:
    rates = [trial.throughput for trial in trials if trial.throughput is not None]
    return stats.pooled(rates) if rates else None


def _steady(good: Sequence[Trial]) -> bool | None:
    """Whether most of the runs were; None where no run's course is known."""
    known = [trial.steady for trial in good if trial.steady is not None]
    return None if good and not known else 2 * sum(known) > len(known)


def _measured_seconds(trials: Sequence[Trial]) -> Seconds:
    return sum(sample.seconds for trial in trials for sample in trial.series)


def _limits_itself(trial: Trial) -> bool:
    return trial.engine is not None and trial.engine.self_limited


def _program(engine: EngineResult) -> str | None:
    return f"{engine.program} {engine.client_version or ''}".strip() or None
