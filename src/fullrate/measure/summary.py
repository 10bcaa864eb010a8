"""Trials of one kind taken together. Pure."""

from collections.abc import Mapping, Sequence

from fullrate.measure import stats
from fullrate.records.ends import Direction
from fullrate.records.measurement import Measurement
from fullrate.records.trial import EngineResult, Estimate, Trial
from fullrate.records.units import BitsPerSecond, Seconds


def summarise(trials: Sequence[Trial], ceilings: Mapping[Direction, BitsPerSecond]) -> tuple[Measurement, ...]:
    """One measurement for each kind, direction, protocol and number of streams, in the order first made.

    Programs that tell but their own figures may differ for reasons of their own, and what somebody else asked of UDP is
    one rate or another: each is one apart.
    """
    groups: dict[tuple[object, ...], list[Trial]] = {}
    for trial in trials:
        if trial.spec.sends:
            spec = trial.spec
            told = (trial.engine.program, spec.rate) if trial.told and trial.engine else ()
            groups.setdefault((spec.kind, spec.direction, spec.protocol, spec.streams, told), []).append(trial)
    return tuple(_summarise(f"m{number}", group, ceilings) for number, group in enumerate(groups.values(), 1))


def _summarise(name: str, group: Sequence[Trial], ceilings: Mapping[Direction, BitsPerSecond]) -> Measurement:
    spec = group[0].spec
    good = [trial for trial in group if trial.throughput is not None]
    last = good[-1] if good else group[-1]
    engine = last.engine or EngineResult(program="")
    return Measurement(
        id=name,
        kind=spec.kind,
        direction=spec.direction,
        protocol=spec.protocol,
        streams=spec.streams,
        trials=tuple(trial.id for trial in group),
        throughput_bps=_throughput(good),
        ceiling_bps=ceilings.get(spec.direction),
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
        program=_program(engine),
        self_limited=any(map(_limits_itself, good)),
        congestion_control=engine.congestion_control,
        told=last.told,
        failure="" if good else last.failure,
        warnings=(*engine.warnings, *last.warnings),
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
