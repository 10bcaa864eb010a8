"""The check wifi-narrow-channel."""

from typing import Any

import pytest

from fullrate.checks.wifi_narrow_channel import CHECK
from fullrate.records.facts.kernel_log import KernelMessage, LogEvent
from fullrate.records.finding import Judgement
from fullrate.records.leaf import Per
from fullrate.records.radio import Generation
from unit.checks.build import NEAR, Scene, asked, evidence, found, healthy, judged
from unit.checks.scenes_wifi import LINK, asked_for, unread, wifi

HT = Generation.HT
LOW_BAND: dict[str, Any] = {"frequency": 2437, "width": 20, "generation": HT, "tx_rate": 144.4e6}
AP: dict[str, Any] = {"width": None, "generation": None, "streams": None}  # as iwconfig shows it
REFUSED = KernelMessage(
    subject=LINK, event=LogEvent.WIFI_NARROWED, text="20/40 MHz operation not permitted on channel pri=6", time=9.0
)


def test_asked_about_each_link() -> None:
    """A channel is one link's."""
    assert Per.LINK is CHECK.per


@pytest.mark.parametrize(
    ("scene", "verdict"),
    [
        (wifi(width=20, tx_rate=173.3e6), Judgement.PROBLEM),
        (wifi(width=40, tx_rate=400e6), Judgement.PROBLEM),
        (wifi(width=160), Judgement.CLEAR),
        (wifi(width=20, generation=HT, tx_rate=144.4e6), Judgement.PROBLEM),
        (wifi(width=40, generation=HT, tx_rate=300e6), Judgement.CLEAR),
        (wifi(tx_rate=144.4e6, **AP), Judgement.PROBLEM),
        (wifi(**LOW_BAND), Judgement.CLEAR),
        (asked_for(wifi(**LOW_BAND), 40, mhz=2412), Judgement.PROBLEM),
        (asked_for(wifi(**LOW_BAND), 80, mhz=5180), Judgement.CLEAR),
        (asked_for(wifi(width=40), 40), Judgement.CLEAR),
        (wifi(**LOW_BAND).having(NEAR, REFUSED), Judgement.PROBLEM),
    ],
)
def test_channels(scene: Scene, verdict: Judgement) -> None:
    """By what the standard, the settings and the log say is possible there."""
    assert verdict is judged(CHECK, scene)


def test_cites_what_was_asked_for() -> None:
    """Beside what came of it."""
    finding = found(CHECK, asked_for(wifi(**LOW_BAND), 40))
    assert "40" == evidence(finding, "width asked for")[1]


def test_costs_what_the_width_leaves_out() -> None:
    """A fourth of the width carries a fourth."""
    assert 3 * 130e6 == pytest.approx(found(CHECK, wifi(130e6, width=20, tx_rate=173.3e6)).costs_bps)


def test_no_radio() -> None:
    """A cable has no channel."""
    assert Judgement.NOT_APPLICABLE is judged(CHECK, healthy())


@pytest.mark.parametrize(
    ("scene", "question"),
    [
        (unread(), "iw dev wlp2s0 link"),
        (wifi(frequency=None), "iw dev wlp2s0 info"),
        (wifi(tx_rate=65e6, **AP), "iw dev wlp2s0 info"),  # of several widths
        (wifi(tx_rate=13e6, **AP), "iw dev wlp2s0 info"),  # a slow rate is sent in 20 MHz on any channel
    ],
)
def test_unread(scene: Scene, question: str) -> None:
    """Then it asks for what would tell."""
    assert Judgement.UNKNOWN is judged(CHECK, scene)
    assert [question] == [ask.text.partition("  ")[0] for ask in asked(CHECK, scene)]
