"""From a recording to its document: the one way for the live run, the kept bundle and the paste. Pure."""

import functools

from fullrate import collect, registry
from fullrate.diagnose import Case, ceilings
from fullrate.diagnose import diagnose as make_run
from fullrate.measure import reading
from fullrate.measure.summary import summarise
from fullrate.records.ends import End
from fullrate.records.goodput import FULL_SHARE
from fullrate.records.recording import Recording, TrialRecord
from fullrate.records.run import Run
from fullrate.records.trial import Trial
from fullrate.records.units import BitsPerSecond


def replay(recording: Recording) -> Run:
    """The document that a recording yields; the live run is made by this very function."""
    return make_run(case_of(recording), registry.checks())


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
