"""The check wifi-airtime-overhead."""

import pytest

from fullrate.checks.wifi_airtime_overhead import CHECK
from fullrate.records.facts.wifi import WifiChannel
from fullrate.records.finding import Confidence, Judgement
from fullrate.records.leaf import Per
from unit.checks.build import NEAR, Scene, asked, evidence, found, healthy, judged
from unit.checks.scenes_wifi import channel, unread, wifi


def test_asked_about_each_link() -> None:
    """A channel is one link's."""
    assert Per.LINK is CHECK.per


@pytest.mark.parametrize(
    ("scene", "verdict"),
    [
        (channel(busy=70.0, receiving=60.0), Judgement.PROBLEM),
        (channel(busy=45.0, receiving=40.0), Judgement.CLEAR),
        (channel(busy=70.0, receiving=20.0), Judgement.CLEAR),  # something else is on the air
        (channel(active=0.1, busy=0.09, receiving=0.09), Judgement.UNKNOWN),
        (wifi().lacking(NEAR, WifiChannel, "facts"), Judgement.UNKNOWN),
        (unread(), Judgement.UNKNOWN),
        (healthy(), Judgement.NOT_APPLICABLE),
    ],
)
def test_air(scene: Scene, verdict: Judgement) -> None:
    """Half of the time taken by frames."""
    assert verdict is judged(CHECK, scene)


def test_a_suspicion() -> None:
    """The frames may have been this host's own."""
    finding = found(CHECK, channel(busy=70.0, receiving=60.0))
    assert (Confidence.LOW, "70%") == (finding.confidence, evidence(finding, "busy")[1])


def test_asks_for_the_survey() -> None:
    """The one listing of a channel's time."""
    (question,) = asked(CHECK, wifi().lacking(NEAR, WifiChannel, "facts"))
    assert question.text.startswith("iw dev wlp2s0 survey dump")
