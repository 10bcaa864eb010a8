"""What became known between two documents of one job, from the recorded runs of the practice network."""

from dataclasses import replace

import pytest

from bundled import golden
from fullrate.records.event import Finished, Measured, Suspected
from fullrate.records.news import finished, news
from fullrate.records.run import Run
from fullrate.replaying import replay


def after(name: str, trials: int) -> Run:
    """The document after so many trials: the first is the look at the link at rest."""
    recording, _ = golden(name)
    return replay(replace(recording, trials=recording.trials[:trials]))


def suspects(name: str) -> list[str | None]:
    """The causes that are told one after the other."""
    runs = [after(name, trials) for trials in range(4)]
    told = [event for before, run in zip([None, *runs], runs, strict=False) for event in news(before, run)]
    return [event.cause for event in told if isinstance(event, Suspected)]


def test_nothing_before_the_first_trial() -> None:
    """Neither after reading the hosts nor after the look at the link at rest."""
    assert ((), ()) == (
        news(None, after("netfilter-drop", 0)),
        news(after("netfilter-drop", 0), after("netfilter-drop", 1)),
    )


@pytest.mark.parametrize("name", ["netfilter-drop", "cpu-quota", "tc-shaper", "tcp-buffers-too-small"])
def test_the_suspect_is_told_once(name: str) -> None:
    """It is the verdict's, from the first trial on."""
    assert [name] == suspects(name)


def test_a_full_link_has_no_suspect() -> None:
    """That it is filled is no suspicion."""
    assert [] == suspects("healthy")


def test_the_suspect_goes() -> None:
    """When the verdict names no cause any more."""
    assert [Suspected()] == list(news(after("tc-shaper", 3), after("healthy", 3)))[-1:]


def test_each_measurement_is_told_when_it_is_new() -> None:
    """With its figure and its place in the document."""
    found = news(after("healthy", 2), after("healthy", 3))
    assert ["m2"] == [event.measurement for event in found if isinstance(event, Measured)]
    (told,) = [event for event in found if isinstance(event, Measured)]
    made = after("healthy", 3).measurements[1]
    assert (made.throughput_bps, made.ceiling_bps, 1) == (told.throughput_bps, told.ceiling_bps, told.runs)


def test_the_suspicion_says_what_its_finding_says() -> None:
    """The sentence a reader will find in the answer."""
    (told,) = [event for event in news(None, after("netfilter-drop", 3)) if isinstance(event, Suspected)]
    assert "a filter rule on lab:b discards packets" in told.sentence
    assert ("far", "high") == (told.end, told.confidence)


def test_the_end() -> None:
    """The verdict's state and sentence, and whether it was the user who ended it."""
    run = after("healthy", 3)
    assert Finished(run=run.id, state=run.verdict.state, summary=run.verdict.summary, stopped=True) == finished(
        run, stopped=True
    )
