"""The check wifi-power-save."""

from typing import Any

import pytest

from fullrate.checks.wifi_power_save import CHECK
from fullrate.records.finding import Judgement
from fullrate.records.leaf import Per
from unit.checks.build import Scene, asked, evidence, found, healthy, judged
from unit.checks.scenes_wifi import answering, unread, wifi

ON: dict[str, Any] = {"power_save": True}


def test_asked_about_each_link() -> None:
    """A setting of one link."""
    assert Per.LINK is CHECK.per


@pytest.mark.parametrize(
    ("scene", "verdict"),
    [
        (answering(wifi(**ON), 0.085), Judgement.PROBLEM),
        (answering(wifi(**ON), 0.006), Judgement.CLEAR),
        (answering(wifi(), 0.085), Judgement.CLEAR),
        (wifi(**ON), Judgement.UNKNOWN),
        (wifi(power_save=None), Judgement.UNKNOWN),
        (unread(), Judgement.UNKNOWN),
        (healthy(), Judgement.NOT_APPLICABLE),
    ],
)
def test_sleep(scene: Scene, verdict: Judgement) -> None:
    """Allowed and answered late is a fault; allowed alone is open."""
    assert verdict is judged(CHECK, scene)


def test_change_and_undo() -> None:
    """Both are one command."""
    (remedy,) = found(CHECK, answering(wifi(**ON), 0.085)).remedies
    assert ("iw dev wlp2s0 set power_save off", "iw dev wlp2s0 set power_save on") == (*remedy.commands, *remedy.undo)


def test_cites_the_answer() -> None:
    """Its mean time."""
    assert "85.0" == evidence(found(CHECK, answering(wifi(**ON), 0.085)), "mean answer")[1]


def test_asks_for_a_ping() -> None:
    """It would tell whether the radio sleeps."""
    assert asked(CHECK, wifi(**ON))[0].text.startswith("ping ")
