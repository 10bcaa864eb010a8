"""The check wifi-signal-low."""

from typing import Any

import pytest

from fullrate.checks.wifi_signal_low import CHECK
from fullrate.records.finding import Confidence, Judgement
from fullrate.records.leaf import Per
from unit.checks.build import Scene, asked, evidence, found, healthy, judged
from unit.checks.scenes_wifi import unread, wifi

AP: dict[str, Any] = {"width": None, "generation": None, "streams": None}  # as iwconfig shows it


def test_asked_about_each_link() -> None:
    """A signal is one link's."""
    assert Per.LINK is CHECK.per


@pytest.mark.parametrize(
    ("scene", "verdict"),
    [
        (wifi(signal=-79.0, tx_rate=130e6), Judgement.PROBLEM),
        (wifi(signal=-79.0, tx_rate=780e6), Judgement.CLEAR),
        (wifi(signal=-67.0, tx_rate=130e6), Judgement.CLEAR),
        (wifi(signal=-69.0, tx_rate=130e6), Judgement.PROBLEM),  # 80 MHz needs 6 dB more than 20
        (wifi(signal=-69.0, tx_rate=13e6, **AP), Judgement.CLEAR),
        (wifi(signal=-79.0, tx_rate=13e6, **AP), Judgement.PROBLEM),
        (wifi(signal=-79.0, tx_rate=65e6, **AP), Judgement.CLEAR),
    ],
)
def test_signals(scene: Scene, verdict: Judgement) -> None:
    """Weak alone is no fault: the rate must have fallen as well."""
    assert verdict is judged(CHECK, scene)


@pytest.mark.parametrize(("rate", "sure"), [(130e6, Confidence.MEDIUM), (None, Confidence.LOW)])
def test_sure(rate: float | None, sure: Confidence) -> None:
    """Less so while the rate is not shown."""
    assert sure is found(CHECK, wifi(signal=-82.0, tx_rate=rate)).confidence


def test_cites_the_signal() -> None:
    """In dBm."""
    assert "-79 dBm" == evidence(found(CHECK, wifi(signal=-79.0, tx_rate=65e6)), "signal")[1]


def test_no_radio() -> None:
    """A cable has no signal."""
    assert Judgement.NOT_APPLICABLE is judged(CHECK, healthy())


@pytest.mark.parametrize("scene", [wifi(signal=None), unread()])
def test_unread(scene: Scene) -> None:
    """Then it asks iw."""
    assert Judgement.UNKNOWN is judged(CHECK, scene)
    assert "link" == asked(CHECK, scene)[0].text.split()[3]
