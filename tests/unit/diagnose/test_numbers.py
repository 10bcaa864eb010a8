"""A run cut down to its numbers."""

from dataclasses import replace
from pathlib import Path

import pytest

from fullrate.diagnose.numbers import only_numbers
from fullrate.records.codec import decode_run, encode_run
from fullrate.records.finding import Confidence
from fullrate.records.run import Run, State
from unit.diagnose.making import finding

RUNS = Path(__file__).parents[2] / "fixtures/runs"


def kept(name: str) -> Run:
    """A hand-made run."""
    return decode_run((RUNS / f"{name}.json").read_bytes())


def without_rates(run: Run) -> Run:
    """The run when no trial gave a rate."""
    return replace(run, measurements=tuple(replace(one, throughput_bps=None) for one in run.measurements))


@pytest.mark.parametrize("name", ["full", "not_full", "undecided"])
def test_the_measurements_stay(name: str) -> None:
    """As do the state, the criteria and what the run is called."""
    run, cut = kept(name), only_numbers(kept(name))
    assert (run.measurements, run.verdict.state, run.verdict.criteria) == (
        cut.measurements,
        cut.verdict.state,
        cut.verdict.criteria,
    )
    assert (run.id, run.started_at, run.notes) == (cut.id, cut.started_at, cut.notes)


@pytest.mark.parametrize("name", ["full", "not_full"])
def test_no_cause_is_named(name: str) -> None:
    """None was looked for."""
    verdict = only_numbers(kept(name)).verdict
    assert (None, None, None, "", ()) == (verdict.cause, verdict.stage, verdict.end, verdict.subject, verdict.ask_for)
    assert Confidence.LOW is verdict.confidence


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("full", "what UDP was to carry arrives in both directions"),
        ("not_full", "not all that UDP was to carry arrives"),
    ],
)
def test_udp_has_words_of_its_own(name: str, words: str) -> None:
    """The link may have room left either way."""
    run = kept(name)
    udp = replace(run, measurements=tuple(replace(one, asked_bps=5e8) for one in run.measurements))
    assert only_numbers(udp).verdict.summary.startswith(words)


def test_nothing_else_is_left() -> None:
    """No facts, gaps, budget, path or findings."""
    cut = only_numbers(kept("not_full"))
    assert ((), (), ()) == (cut.budget, cut.path, cut.findings)
    assert not [end for end, report in cut.ends.items() if report.facts or report.gaps]


def test_the_ends_are_still_named() -> None:
    """With link and driver."""
    run, cut = kept("not_full"), only_numbers(kept("not_full"))
    named = {end: (report.target, report.interface, report.driver) for end, report in run.ends.items()}
    assert named == {end: (report.target, report.interface, report.driver) for end, report in cut.ends.items()}


def test_a_full_link() -> None:
    """Says so, without the words of a check."""
    assert "the link is full in both directions" == only_numbers(kept("full")).verdict.summary


def test_a_link_that_is_not_full() -> None:
    """The sentence tells which way, and who would tell why."""
    run = kept("not_full")
    assert run.verdict.direction is not None
    expected = f"the link is not full {run.verdict.direction.words}; why was not looked for: fullrate check does"
    assert expected == only_numbers(run).verdict.summary


def test_an_open_answer_keeps_its_reason() -> None:
    """Why it is open lies in the numbers."""
    run = kept("full")
    open_ = replace(run, verdict=replace(run.verdict, state=State.UNDECIDED, summary="too close to the bar"))
    assert "too close to the bar" == only_numbers(open_).verdict.summary


def test_what_kept_us_from_measuring_stays() -> None:
    """Without a rate the cause is the answer, with its finding alone."""
    run = without_rates(kept("not_full"))
    busy, other = finding("server-busy", direction=None), finding("tc-shaper")
    verdict = replace(run.verdict, state=State.UNDECIDED, cause="server-busy", summary="another test is running")
    cut = only_numbers(replace(run, findings=(busy, other), verdict=verdict))
    assert ((busy,), verdict) == (cut.findings, cut.verdict)


def test_it_is_a_document() -> None:
    """It can be written and read back like any run."""
    cut = only_numbers(kept("not_full"))
    assert cut == decode_run(encode_run(cut))


def test_twice_is_once() -> None:
    """Nothing is lost the second time."""
    cut = only_numbers(kept("not_full"))
    assert cut == only_numbers(cut)
