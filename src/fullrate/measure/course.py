"""The course of measured trials in few steps, for a reader's eye. Pure."""

import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from fullrate.records.trial import Sample, Trial
from fullrate.records.units import BitsPerSecond, Seconds

MOST_STEPS = 40  # in all: they have to fit on one line
_LENGTHS: tuple[Seconds, ...] = (0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 60.0, 120.0, 300.0)
_LEAST_COVER = 0.5  # of a step, by samples
_ABOUT = 0.95  # a program's second is not quite one


@dataclass(frozen=True, slots=True, kw_only=True)
class Course:
    """The mean payload in each step of each run, the warm-up left out; None where too little of a step was seen."""

    step: Seconds | None = None
    runs: tuple[tuple[BitsPerSecond | None, ...], ...] = ()


def course(trials: Iterable[Trial]) -> Course:
    """The course of the trials whose series is known, in steps of one length, which holds a sample at least."""
    known = list(filter(None, map(_kept, trials)))
    sample = statistics.median(one.seconds for kept in known for one in kept) if known else 0.0
    for step in (length for length in _LENGTHS if length >= _ABOUT * sample):
        runs = tuple(found for kept in known if len(found := _steps(kept, step)) > 1)
        if runs and (sum(map(len, runs)) <= MOST_STEPS or step == _LENGTHS[-1]):
            return Course(step=step, runs=runs)
    return Course()


def _kept(trial: Trial) -> Sequence[Sample]:
    """The samples behind the warm-up."""
    if not trial.series:
        return ()
    begins = trial.series[0].at - trial.series[0].seconds + trial.warm_up
    return [one for one in trial.series if _middle(one) > begins]


def _steps(series: Sequence[Sample], step: Seconds) -> tuple[BitsPerSecond | None, ...]:
    """The mean of each step; a last one that is filled in part is left out."""
    begins = series[0].at - series[0].seconds
    groups: dict[int, list[Sample]] = {}
    for one in series:
        groups.setdefault(int((_middle(one) - begins) / step), []).append(one)
    means = [_mean(groups.get(number, ()), step) for number in range(max(groups) + 1)]
    return tuple(means if means[-1] is not None else means[:-1])


def _middle(one: Sample) -> Seconds:
    return one.at - one.seconds / 2


def _mean(samples: Sequence[Sample], step: Seconds) -> BitsPerSecond | None:
    seconds = sum(one.seconds for one in samples)
    if seconds < _LEAST_COVER * step:
        return None
    return float(round(sum(one.throughput * one.seconds for one in samples) / seconds))
