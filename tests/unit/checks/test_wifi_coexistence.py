"""The check wifi-coexistence."""

from typing import Any

import pytest

from fullrate.checks.wifi_coexistence import CHECK
from fullrate.records.facts.wifi import WifiChannel
from fullrate.records.finding import Confidence, Judgement
from fullrate.records.leaf import Per
from unit.checks.build import NEAR, Scene, asked, evidence, found, healthy, judged
from unit.checks.scenes_wifi import channel, unread, wifi


def without_survey(**changed: Any) -> Scene:  # noqa: ANN401 - fields of the fact
    """A radio of which only its partner was listed."""
    return wifi(**changed).lacking(NEAR, WifiChannel, "facts")


def test_asked_about_each_link() -> None:
    """A channel is one link's."""
    assert Per.LINK is CHECK.per


@pytest.mark.parametrize(
    ("scene", "verdict"),
    [
        (channel(busy=60.0), Judgement.PROBLEM),
        (channel(busy=40.0), Judgement.CLEAR),
        (without_survey(retries=60_000), Judgement.PROBLEM),
        (without_survey(retries=60_000, signal=-75.0), Judgement.UNKNOWN),  # a weak signal repeats frames too
        (without_survey(retries=200, sent=500), Judgement.UNKNOWN),
        (without_survey(), Judgement.UNKNOWN),
        (without_survey(sent=None), Judgement.UNKNOWN),
        (unread(), Judgement.UNKNOWN),
        (healthy(), Judgement.NOT_APPLICABLE),
    ],
)
def test_signs(scene: Scene, verdict: Judgement) -> None:
    """Energy that is no frame, or frames repeated over a good signal."""
    assert verdict is judged(CHECK, scene)


@pytest.mark.parametrize(
    ("scene", "sure"), [(channel(busy=60.0), Confidence.MEDIUM), (without_survey(retries=60_000), Confidence.LOW)]
)
def test_sure(scene: Scene, sure: Confidence) -> None:
    """A driver's fault repeats frames as well."""
    assert sure is found(CHECK, scene).confidence


def test_cites_the_retries() -> None:
    """And the packets they are of."""
    finding = found(CHECK, without_survey(retries=60_000))
    assert ("60000", "100000") == (evidence(finding, "retries")[1], evidence(finding, "sent")[1])


def test_asks_for_both_listings() -> None:
    """Either would tell."""
    questions = [ask.text.split()[3] for ask in asked(CHECK, without_survey(sent=None))]
    assert ["survey", "station"] == questions
