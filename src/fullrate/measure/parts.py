"""A trial as pairs of programs that run at the same time, and what they told as one result. Pure."""

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from fullrate.measure import series as samples
from fullrate.records.ends import ONE_WAY, Direction, End
from fullrate.records.leaf import Generator
from fullrate.records.recording import ProgramOutput, TrialRecord
from fullrate.records.trial import EngineResult, Interval, TrialKind, TrialSpec
from fullrate.records.units import BitsPerSecond, Seconds

THE_OTHER_WAY, REQUESTS = "the other way", "requests"
_LOAD_SECONDS = 5  # that the load outlives the requests, at most: it is ended with them


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One pair of programs: what it runs, and the CPU that each half is kept on (None: where the kernel likes)."""

    number: int
    spec: TrialSpec
    cpus: Mapping[End, int | None]


def parts_of(spec: TrialSpec) -> tuple[Part, ...]:
    """The pairs of programs of a trial, the one that says when it is over first."""
    shares = [share for flows in flows_of(spec) for share in _shares(flows)]
    return tuple(Part(number=number, spec=share, cpus=_cpus(spec, number)) for number, share in enumerate(shares))


def flows_of(spec: TrialSpec) -> tuple[TrialSpec, ...]:
    """What runs at the same time, each in one direction and measured by itself."""
    if spec.kind is TrialKind.BULK:
        return _both_ways(spec, THE_OTHER_WAY) if spec.direction is Direction.BOTH else (spec,)
    if spec.load is None:
        return (spec,)
    load = TrialSpec(
        kind=TrialKind.BULK,
        direction=spec.load,
        streams=spec.streams,
        rate=spec.rate,
        max_seconds=spec.max_seconds + _LOAD_SECONDS,
        near_serves=spec.near_serves,
        beside=REQUESTS,
    )
    return (spec, *(_both_ways(load, REQUESTS) if spec.load is Direction.BOTH else (load,)))


def _both_ways(spec: TrialSpec, beside: str) -> tuple[TrialSpec, ...]:
    return tuple(replace(spec, direction=way, beside=beside) for way in ONE_WAY)


def _shares(flows: TrialSpec) -> list[TrialSpec]:
    """The streams and the rate dealt out to the processes, as evenly as they go."""
    count = min(flows.processes, flows.streams) if flows.kind is TrialKind.BULK else 1
    if count == 1:
        return [flows]
    sizes = [flows.streams // count + (number < flows.streams % count) for number in range(count)]
    return [
        replace(flows, streams=size, rate=None if flows.rate is None else flows.rate * size / flows.streams)
        for size in sizes
    ]


def _cpus(spec: TrialSpec, number: int) -> dict[End, int | None]:
    lists = {End.NEAR: spec.near_cpus, End.FAR: spec.far_cpus}
    return {end: cpus[number % len(cpus)] if cpus else None for end, cpus in lists.items()}


def told_of(record: TrialRecord, generators: Mapping[str, Generator], flows: TrialSpec) -> EngineResult:
    """What the programs of one of a trial's flows told, taken together."""
    parts = [part for part in parts_of(record.spec) if _is_of(part.spec, flows)]
    return together([_told(record, generators, part) for part in parts], [_began(record, part) for part in parts])


def trouble_of(record: TrialRecord, generators: Mapping[str, Generator]) -> EngineResult | None:
    """What the first program that gave no measurement told; None when all gave one."""
    told = (_told(record, generators, part) for part in parts_of(record.spec))
    return next((one for one in told if one.failure is not None), None)


def _is_of(part: TrialSpec, flows: TrialSpec) -> bool:
    return (part.kind, part.direction, part.beside) == (flows.kind, flows.direction, flows.beside)


def _told(record: TrialRecord, generators: Mapping[str, Generator], part: Part) -> EngineResult:
    outputs = tuple(one for one in record.outputs if one.part == part.number)
    used = next((one.generator for one in outputs if one.generator), record.generator)
    return generators[used].read(part.spec, outputs) if used in generators else EngineResult(program=used)


def _began(record: TrialRecord, part: Part) -> Seconds:
    return next((one.started for one in _clients(record.outputs) if one.part == part.number), 0.0)


def _clients(outputs: Iterable[ProgramOutput]) -> Iterable[ProgramOutput]:
    return (one for one in outputs if one.role == "client")


def together(told: Sequence[EngineResult], began: Sequence[Seconds]) -> EngineResult:
    """Several programs' results as one: rates and CPU time added, intervals by when their program began.

    The first failure is that of all; what only one can tell (versions, addresses) is the first one's.
    """
    if len(told) == 1:
        return told[0]
    failed = next((one for one in told if one.failure is not None), None)
    if failed is not None:
        return failed
    late = [start - min(began) for start in began]
    first = replace(told[0], **{name: _sum(told, name) for name in _SUMS})
    return replace(
        first,
        sent=_added([one.sent for one in told], late),
        received=_added([one.received for one in told], late),
        lost_ratio=_lost(told),
        self_limited=any(one.self_limited for one in told),
        warnings=tuple(dict.fromkeys(itertools.chain.from_iterable(one.warnings for one in told))),
    )


_SUMS = ("total_received", "total_sent", "retransmits", "packets", "client_cpu", "server_cpu")


def _sum(told: Sequence[EngineResult], name: str) -> Any:  # noqa: ANN401 - a whole number or not, as the field has it
    """The sum of one figure; None when a program does not tell it."""
    known = [value for one in told if (value := getattr(one, name)) is not None]
    return sum(known) if len(known) == len(told) else None


def _lost(told: Sequence[EngineResult]) -> float | None:
    """The loss of all datagrams: each program's by what it sent, alike where one does not tell that."""
    lost = [one.lost_ratio for one in told if one.lost_ratio is not None]
    if len(lost) < len(told):
        return None
    weights = [one.total_sent for one in told]
    known: list[BitsPerSecond] = [weight for weight in weights if weight]
    shares = known if len(known) == len(told) else [1.0] * len(told)
    return sum(ratio * share for ratio, share in zip(lost, shares, strict=True)) / sum(shares)


def _added(rows: Sequence[tuple[Interval, ...]], late: Sequence[Seconds]) -> tuple[Interval, ...]:
    """The rates of each step in which all programs ran; none when one tells no intervals."""
    series = [
        {round(one.at / samples.STEP): one.throughput for one in samples.even_series(intervals, start)}
        for intervals, start in zip(rows, late, strict=True)
    ]
    shared = sorted(set.intersection(*map(set, series)))
    return tuple(
        Interval(start=(step - 1) * samples.STEP, end=step * samples.STEP, throughput=sum(one[step] for one in series))
        for step in shared
    )
