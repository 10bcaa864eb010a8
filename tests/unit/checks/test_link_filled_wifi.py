"""The check link-filled-wifi."""

from dataclasses import replace

import pytest

from fullrate.checks.link_filled_wifi import CHECK
from fullrate.records.ends import Direction
from fullrate.records.finding import Judgement
from fullrate.records.leaf import Per
from unit.checks.build import FAR, Scene, asked, evidence, found, healthy, judged, untested
from unit.checks.scenes_wifi import GOOD, unread, wifi


def test_asked_about_each_direction() -> None:
    """A radio sends and receives at rates of its own."""
    assert Per.DIRECTION is CHECK.per


@pytest.mark.parametrize(
    ("scene", "verdict"),
    [
        (wifi(566e6), Judgement.PROBLEM),
        (wifi(440e6), Judgement.PROBLEM),
        (wifi(420e6), Judgement.CLEAR),
        (replace(wifi(420e6), direction=Direction.FAR_TO_NEAR), Judgement.PROBLEM),
        (wifi(900e6), Judgement.UNKNOWN),  # no flow is faster than its radio: that rate is old
        (healthy().having(FAR, replace(GOOD, subject="enp3s0", rx_rate=1000e6)), Judgement.PROBLEM),
        (healthy(), Judgement.NOT_APPLICABLE),
    ],
)
def test_shares(scene: Scene, verdict: Judgement) -> None:
    """Half of the rate of the way that is used."""
    assert verdict is judged(CHECK, scene)


def test_cites_the_share() -> None:
    """Of the rate at which the sender's radio sends."""
    finding = found(CHECK, wifi(566e6))
    assert ("65%", "866.7 Mbit/s") == (evidence(finding, "share")[1], evidence(finding, "tx_rate")[1])


@pytest.mark.parametrize("scene", [wifi(tx_rate=None), unread(), untested(wifi())])
def test_unread(scene: Scene) -> None:
    """The rate of the radio and that of a test are both needed."""
    assert Judgement.UNKNOWN is judged(CHECK, scene)
    assert asked(CHECK, scene)
