"""From a recording to its document: the one way for the live run, the kept bundle and the paste. Pure."""

import functools
from collections.abc import Iterable
from dataclasses import replace

from fullrate import collect, registry
from fullrate.diagnose import Case, ceilings, conditions_of, speeds
from fullrate.diagnose import diagnose as make_run
from fullrate.measure import reading
from fullrate.measure.compare import comparisons
from fullrate.measure.search import capacities
from fullrate.measure.summary import summarise
from fullrate.records.ends import Direction, End
from fullrate.records.goodput import FULL_SHARE, ip_version, link_goodput, payload_per_frame
from fullrate.records.numbers import Numbers
from fullrate.records.recording import Recording, TrialRecord
from fullrate.records.run import Run
from fullrate.records.trial import Trial
from fullrate.records.units import BitsPerSecond, Bytes

_USUAL_MTU: Bytes = 1500


def replay(recording: Recording) -> Run:
    """The document that a recording yields; the live run is made by this very function."""
    case = case_of(recording)
    run = make_run(case, registry.checks())
    return replace(run, numbers=_numbers(case, run)) if recording.promise.tests else run


def _numbers(case: Case, run: Run) -> Numbers:
    """What the tests that were asked for came to, taken together."""
    return Numbers(
        profile=case.recording.promise.profile,
        capacities=capacities(run.measurements),
        comparisons=comparisons(run.measurements, case.trials) if case.recording.promise.repeat > 1 else (),
        conditions=conditions_of(case),
    )


def udp_tops(
    recording: Recording, sizes: Iterable[Bytes | None]
) -> dict[tuple[Direction, Bytes | None], BitsPerSecond]:
    """The most payload that the link carries in datagrams of these sizes (None: of 1500 byte packets), where known."""
    version = ip_version(recording.ends[End.FAR].address or "")
    usual = payload_per_frame(_USUAL_MTU, version=version, protocol="udp")
    headers = _USUAL_MTU - usual
    return {
        (direction, size): link_goodput(speed, (size or usual) + headers, version=version, protocol="udp")
        for direction, speed in speeds(case_of(recording)).items()
        if speed is not None
        for size in sizes
    }


def case_of(recording: Recording) -> Case:
    """What a recording says, read: facts of both ends, trials as measured."""
    sources = registry.sources()
    snapshots = {
        end: collect.read((reply for moment in record.moments for reply in moment.replies), sources)
        for end, record in recording.ends.items()
    }
    return Case(
        recording=recording,
        snapshots=snapshots,
        trials=_trials(recording),
        sources_of=registry.sources_of,
        summarise=summarise,
        recipes={name: recipe for recipe in registry.drivers() for name in (recipe.id, *recipe.aliases)},
    )


def _trials(recording: Recording) -> tuple[Trial, ...]:
    links = tuple((end, record.interface or "") for end, record in recording.ends.items())
    addresses = tuple((end, record.address or "") for end, record in recording.ends.items())
    return tuple(trial for record in recording.trials for trial in _read(record, links, addresses))


@functools.lru_cache(maxsize=128)  # a live run is diagnosed after every answer; its earlier trials stay as they are
def _read(
    record: TrialRecord, links: tuple[tuple[End, str], ...], addresses: tuple[tuple[End, str], ...]
) -> tuple[Trial, ...]:
    generators = {generator.id: generator for generator in registry.generators()}
    return reading.read_trials(record, registry.sources(), generators, dict(links), dict(addresses))


def bar_of(recording: Recording) -> BitsPerSecond | None:
    """The rate the verdict hangs on; None when no ceiling is known."""
    return min((FULL_SHARE * rate for rate in ceilings(case_of(recording)).values()), default=None)
