"""Recorded runs on a machine with a quirk: the same answer, or none; never another one."""

import functools
from collections.abc import Iterator

import pytest

from bundled import FOLDER, golden
from disturbed import clock_off, clock_set, counters_reset, packed, rewritten, with_many_cpus
from evidence_lost import problems
from fullrate.records.ends import End
from fullrate.records.facts.cpu import CpuTimes, Interrupt, Softnet
from fullrate.records.facts.qdisc import Qdisc
from fullrate.records.frames import read_frames
from fullrate.records.recording import Recording
from fullrate.records.run import Run, State
from fullrate.records.snapshot import Delta
from fullrate.replaying import case_of, replay

HOUR = 3600.0
NAMES = sorted(path.stem for path in FOLDER.glob("*.fullrate"))
each_run = pytest.mark.parametrize("name", NAMES)


@functools.cache
def undisturbed(name: str) -> Run:
    """The document of a recorded run as it was."""
    return replay(golden(name)[0])


def qdiscs(recording: Recording) -> Iterator[Delta[Qdisc]]:
    """What the near end's qdiscs did in each trial; they are asked for, not sampled."""
    for trial in case_of(recording).trials:
        if End.NEAR in trial.windows:
            yield from trial.windows[End.NEAR].deltas(Qdisc)


# --- clocks


@each_run
@pytest.mark.parametrize(("end", "seconds"), [(End.NEAR, HOUR), (End.FAR, -HOUR), (End.FAR, -2.0)])
def test_a_clock_that_is_set_changes_nothing(name: str, end: End, seconds: float) -> None:
    """Forwards or back, in the middle of every trial: rates are by the monotonic clock."""
    assert undisturbed(name).findings == replay(clock_set(golden(name)[0], end, seconds)).findings


def test_a_clock_that_is_set_moves_no_interval() -> None:
    """What is asked before and after a trial is as far apart as it was."""
    whole, moved = (
        [delta.seconds for delta in qdiscs(recording)]
        for recording in (golden("tc-shaper")[0], clock_set(golden("tc-shaper")[0], End.NEAR, -HOUR))
    )
    assert whole == pytest.approx(moved, abs=1e-3)
    assert all(0 < seconds < 60 for seconds in whole)


@each_run
def test_a_far_clock_that_is_off_changes_nothing(name: str) -> None:
    """By hours: the two hosts' times are never compared."""
    assert undisturbed(name).findings == replay(clock_off(golden(name)[0], End.FAR, 7 * HOUR)).findings


# --- counters


@each_run
@pytest.mark.parametrize("end", End)
def test_counters_that_start_anew_accuse_nothing(name: str, end: End) -> None:
    """A driver that resets them in the middle of a trial: no problem that was not there, and no full link."""
    run, whole = replay(counters_reset(golden(name)[0], end)), undisturbed(name)
    assert set() == set(problems(run)) - set(problems(whole))
    assert run.verdict.state in {whole.verdict.state, State.UNDECIDED}


# --- many CPUs


@each_run
def test_two_hundred_cpus_change_nothing(name: str) -> None:
    """198 idle ones more: the same problems, and the same verdict."""
    run, whole = replay(rewritten(golden(name)[0], with_many_cpus)), undisturbed(name)
    assert (whole.verdict, set(problems(whole))) == (run.verdict, set(problems(run)))


def test_two_hundred_cpus_are_read() -> None:
    """Each in every file: the change above is no empty one."""
    case = case_of(rewritten(golden("healthy")[0], with_many_cpus))
    after = case.trials[-1].windows[End.NEAR].after
    assert (201, 200) == (len(after.all(CpuTimes)), len(after.all(Softnet)))
    assert {200} == {len(row.counts) for row in after.all(Interrupt) if len(row.counts) > 1}


# --- the helper itself


def test_frames_are_packed_as_they_came() -> None:
    """Byte for byte."""
    data = golden("healthy")[0].trials[0].frames[0].data
    assert data == packed(read_frames(data))
