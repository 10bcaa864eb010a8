"""Take one piece of evidence out of a recorded run: what was a problem may become unknown, never clear.

`tests/lab/test_lost_evidence.py` asks the same of a new recording of every fault of the practice network.
"""

import functools

import pytest

from bundled import FOLDER, golden
from evidence_lost import (
    Loss,
    cleared,
    fact_losses,
    kind_of,
    reply_losses,
    sampled_losses,
    trial_losses,
)
from fullrate.diagnose import Case
from fullrate.records.ends import End
from fullrate.records.evidence import ReadFile, Status, query
from fullrate.replaying import case_of

NAMES = sorted(path.stem for path in FOLDER.glob("*.fullrate"))
BROKEN = [name for name in NAMES if name != "healthy"]


@functools.cache
def case(name: str) -> Case:
    """A recorded run."""
    return case_of(golden(name)[0])


@pytest.mark.parametrize("name", NAMES)
def test_no_fact_clears_by_its_absence(name: str) -> None:
    """Each kind, of each end, as collected and as watched."""
    assert [] == cleared(case(name), fact_losses(case(name)))


@pytest.mark.parametrize("name", NAMES)
def test_no_trial_clears_by_its_absence(name: str) -> None:
    """Nor its rate, its program's output, or an end's counters of it."""
    assert [] == cleared(case(name), trial_losses(case(name)))


@pytest.mark.parametrize("name", BROKEN)
def test_no_answer_clears_by_its_absence(name: str) -> None:
    """Each kind of question, of each end, refused."""
    assert [] == cleared(case(name), reply_losses(case(name), [Status.DENIED]))


def test_no_sampled_file_clears_by_its_absence() -> None:
    """A kernel without snmp6, one without softnet_stat, and so on."""
    assert [] == cleared(case("cpu-quota"), sampled_losses(case("cpu-quota")))


def test_every_kind_of_evidence_is_taken_once() -> None:
    """No loss stands for two, none for nothing."""
    losses = [loss.what for loss in fact_losses(case("cpu-quota"))]
    assert len(set(losses)) == len(losses) > 200


def test_a_clear_verdict_out_of_nothing_is_seen() -> None:
    """The rule can fail: a healthy run in a broken one's place is told."""
    broken, healthy = case("tc-shaper"), case("healthy")
    found = cleared(broken, iter([Loss(what="all", case=healthy)]))
    assert "without all: the link is full" == found[0]
    assert any(line.startswith("without all: tc-shaper is not_applicable") for line in found)


def test_a_lost_fact_is_gone() -> None:
    """From the snapshot and from every window of its end; the other end keeps its own."""
    whole = next(loss.case for loss in fact_losses(case("cpu-quota")) if loss.what == "far Link")
    kinds = {end: {type(seen.fact).__name__ for seen in one.observations} for end, one in whole.snapshots.items()}
    assert {"near": True, "far": False} == {end: "Link" in found for end, found in kinds.items()}


def test_a_refused_answer_leaves_a_gap() -> None:
    """It was asked for, so the report says that it is not seen."""
    lost = reply_losses(case("cpu-quota"), [Status.DENIED])
    found = next(loss.case.snapshots[End.NEAR] for loss in lost if "near `ethtool -k`" in loss.what)
    assert ("ethtool_features", Status.DENIED) in {(gap.wanted, gap.status) for gap in found.gaps}


def test_questions_of_one_kind_go_together() -> None:
    """Whatever link they name."""
    assert {"ethtool -k"} == {kind_of(query("ethtool", "-k", link)) for link in ("eth0", "wire0")}
    assert "/sys/class/net" == kind_of(ReadFile(path="/sys/class/net/eth0/threaded"))
