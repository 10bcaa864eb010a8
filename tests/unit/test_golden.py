"""Recorded runs of the practice network: their replay gives the document and the text that stand beside them.

`bench/record_golden.py` records them anew; with `--replay` it makes only the documents and texts anew.
"""

from pathlib import Path

import msgspec
import pytest

from bundled import FOLDER, golden
from fullrate.records.ends import End
from fullrate.records.finding import Judgement
from fullrate.records.run import Run, State
from fullrate.replaying import replay
from fullrate.report import render

BUNDLES = sorted(FOLDER.glob("*.fullrate"))
FAULTS = ["cpu-quota", "netfilter-drop", "tc-shaper", "tcp-buffers-too-small"]
LARGEST = 400_000  # bytes

each_bundle = pytest.mark.parametrize("path", BUNDLES, ids=[path.stem for path in BUNDLES])


def replayed(path: Path) -> tuple[Run, Run]:
    """The document made of a bundle's recording now, and the one stored in it."""
    recording, stored = golden(path.stem)
    return replay(recording), stored


def test_a_healthy_run_and_every_fault_are_there() -> None:
    """No bundle was lost, and none came without being named here."""
    assert [*FAULTS[:1], "healthy", *FAULTS[1:]] == [path.stem for path in BUNDLES]


@each_bundle
def test_a_replay_comes_to_the_same_verdict(path: Path) -> None:
    """State, cause, criteria, confidence and sentence."""
    again, stored = replayed(path)
    assert stored.verdict == again.verdict


@each_bundle
def test_a_replay_makes_the_same_findings(path: Path) -> None:
    """All of them, in their order, with evidence and remedies."""
    again, stored = replayed(path)
    assert stored.findings == again.findings


@each_bundle
def test_a_replay_makes_the_same_budget_and_path(path: Path) -> None:
    """Part by part, stage by stage."""
    again, stored = replayed(path)
    assert (stored.budget, stored.path) == (again.budget, again.path)


def numbers(run: Run) -> list[object]:
    """Every value of every measurement."""
    left: list[object] = [msgspec.to_builtins(run.measurements)]
    found: list[object] = []
    while left:
        one = left.pop()
        if isinstance(one, dict | list | tuple):
            left += [*one, *one.values()] if isinstance(one, dict) else one
        else:
            found.append(one)
    return found


@each_bundle
def test_a_replay_measures_the_same(path: Path) -> None:
    """Every number of every measurement, but for its last digits: since Python 3.12 `sum` of floats is compensated."""
    again, stored = replayed(path)
    pairs = list(zip(numbers(stored), numbers(again), strict=True))
    assert [] == [pair for pair in pairs if pair[0] != pair[1] and pair[1] != pytest.approx(pair[0], rel=1e-9)]


@each_bundle
def test_a_replay_reads_the_same_text(path: Path) -> None:
    """Word for word."""
    assert path.with_suffix(".txt").read_text() == render(replayed(path)[0])


@each_bundle
def test_a_bundle_is_small(path: Path) -> None:
    """It is cloned by everyone."""
    assert path.stat().st_size <= LARGEST


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_found(fault: str) -> None:
    """Its cause is the verdict's."""
    verdict = replay(golden(fault)[0]).verdict
    assert (State.NOT_FULL, fault) == (verdict.state, verdict.cause)


def test_a_healthy_network_is_full() -> None:
    """No problem is found in it but that the link is filled."""
    run = replay(golden("healthy")[0])
    problems = {one.cause for one in run.findings if one.verdict is Judgement.PROBLEM}
    assert State.FULL is run.verdict.state
    assert all(cause.startswith("link-filled") for cause in problems)


@each_bundle
def test_nothing_of_the_recording_machine_but_the_network_is_named(path: Path) -> None:
    """The ends are those of the practice network, as any reader can make it."""
    recording, _ = golden(path.stem)
    assert ["lab:a", "lab:b"] == [recording.ends[end].target for end in End]
