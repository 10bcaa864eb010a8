"""Several streams in one thread of an old iperf3."""

from dataclasses import replace

import pytest

from fullrate.checks.iperf3_single_thread import CHECK
from fullrate.records.facts.net import ProgramVersion
from fullrate.records.facts.processor import ThreadTimes
from fullrate.records.finding import Judgement
from fullrate.records.trial import EngineResult
from unit.checks.build import CEILING, FAR, NEAR, Scene, evidence, found, judged
from unit.checks.cpu_pairs import ordinary, thread
from unit.checks.scenes_cpu import four_streams


def at(end_version: str, scene: Scene) -> Scene:
    """The receiver has another version than the sender."""
    return scene.having(FAR, ProgramVersion(subject="iperf3", version=end_version))


def test_full_thread_is_a_problem() -> None:
    """Four streams, iperf3 3.12, the sender's thread at 97 %."""
    finding = found(CHECK, four_streams())
    assert (Judgement.PROBLEM, NEAR, "iperf3") == (finding.verdict, finding.end, finding.subject)


def test_cost_is_what_a_thread_a_stream_would_carry() -> None:
    """Two CPUs carry twice as much, four streams or not."""
    scene = replace(four_streams(), rate=300e6)
    assert 300e6 / 0.97 * 2 - 300e6 == pytest.approx(found(CHECK, scene).costs_bps)


def test_cost_ends_at_the_ceiling() -> None:
    """Twice 500 is more than the link carries."""
    assert CEILING - 500e6 == pytest.approx(found(CHECK, four_streams()).costs_bps)


def test_cites_thread_and_version() -> None:
    """Both are the cause."""
    finding = found(CHECK, four_streams())
    assert ("97% of CPU 0", "3.12") == (evidence(finding, "thread 77 iperf3")[1], evidence(finding, "version")[1])


def test_receivers_thread_counts_too() -> None:
    """The busier of the two is named."""
    scene = four_streams(share=0.5).seeing(FAR, thread(0, 0.99))
    assert FAR is found(CHECK, scene).end


@pytest.mark.parametrize("version", ["3.16", "3.17.1", "3.21", "4.0"])
def test_newer_versions_are_not_applicable(version: str) -> None:
    """They have a thread for each stream."""
    assert Judgement.NOT_APPLICABLE is judged(CHECK, four_streams(version))


def test_another_program_is_not_applicable() -> None:
    """Its threads are not iperf3's, whatever version of that is installed."""
    scene = replace(four_streams(), engine=EngineResult(program="python"))
    assert Judgement.NOT_APPLICABLE is judged(CHECK, scene)


@pytest.mark.parametrize("version", ["3.0.11", "3.1b3.1", "3.9", "3.15"])
def test_older_versions_count(version: str) -> None:
    """Every one before 3.16; a version without two numbers is unknown."""
    expected = Judgement.UNKNOWN if "b" in version else Judgement.PROBLEM
    assert expected is judged(CHECK, four_streams(version))


def test_only_the_older_end_is_looked_at() -> None:
    """A new sender has threads; the old receiver has time left."""
    scene = four_streams("3.18").seeing(FAR, thread(0, 0.4))
    assert Judgement.CLEAR is judged(CHECK, at("3.12", scene))


def test_thread_with_time_left_is_clear() -> None:
    """A near miss: 85 %."""
    assert Judgement.CLEAR is judged(CHECK, four_streams(share=0.85))


def test_full_link_is_clear() -> None:
    """One thread was enough."""
    assert Judgement.CLEAR is judged(CHECK, replace(four_streams(), rate=941e6))


def test_one_stream_is_not_applicable() -> None:
    """One thread is what it needs."""
    assert Judgement.NOT_APPLICABLE is judged(CHECK, ordinary())


@pytest.mark.parametrize(("kind", "part"), [(ProgramVersion, "facts"), (ThreadTimes, "after")])
def test_unread_version_or_thread_is_unknown(kind: type[ProgramVersion | ThreadTimes], part: str) -> None:
    """Both decide."""
    assert Judgement.UNKNOWN is judged(CHECK, four_streams().lacking(NEAR, kind, part))
