"""The verdict on a radio, whose link has no fixed speed."""

from dataclasses import replace

from fullrate.diagnose.verdict import decide
from fullrate.records.finding import Confidence
from fullrate.records.run import State
from unit.diagnose.making import OUT, finding, judged, measured

NO_SPEED = replace(measured(OUT, 560e6, ceiling=None), told=True)
FULL = finding("link-filled-wifi", direction=OUT, summary="65% of the radio's rate arrives")
NARROW = finding("wifi-narrow-channel", summary="a channel of 20 MHz", confidence=Confidence.MEDIUM)


def test_a_radio_that_gives_what_it_can_is_full() -> None:
    """As the check says that knows how much that is."""
    verdict = decide([NO_SPEED], judged(FULL))
    assert (State.FULL, "link-filled-wifi") == (verdict.state, verdict.cause)
    assert "65% of the radio's rate arrives" == verdict.criteria[0].observed


def test_a_radio_that_could_do_better_is_not_full() -> None:
    """However much of its slow rate arrives."""
    verdict = decide([NO_SPEED], judged(NARROW, FULL))
    assert (State.NOT_FULL, "wifi-narrow-channel") == (verdict.state, verdict.cause)


def test_a_guess_about_a_radio_decides_nothing() -> None:
    """Of power save, say, that most radios allow."""
    verdict = decide([NO_SPEED], judged(replace(NARROW, confidence=Confidence.LOW)))
    assert State.UNDECIDED is verdict.state


def test_a_link_of_a_known_speed_is_judged_by_it() -> None:
    """A radio at the other end of it does not make it full."""
    verdict = decide([replace(measured(OUT, 560e6), told=True)], judged(FULL))
    assert State.NOT_FULL is verdict.state
