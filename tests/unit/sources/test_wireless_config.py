"""The parser of an access point's settings."""

import pytest

from fullrate.records.errors import FormatError
from fullrate.records.evidence import ReadFile
from fullrate.records.facts.wifi import WifiSetting
from fullrate.sources.wireless_config import SOURCE
from tool_output import GARBAGE, ran
from unit.sources.pasted import ASKED, claimants, pasted

OPENWRT = pasted("wireless_ht40")
UCI = b"wireless.radio1=wifi-device\nwireless.radio1.channel='36'\nwireless.radio1.htmode='HE160'\n"


def hostapd(*more: str) -> bytes:
    """A configuration of hostapd."""
    return "\n".join(("interface=wlan0", "hw_mode=a", *more)).encode()


@pytest.mark.parametrize(
    ("text", "subject", "width", "frequency"),
    [
        (OPENWRT, "radio0", 40, 2412),
        (UCI, "radio1", 160, 5180),
        (hostapd("ht_capab=[SHORT-GI-20]"), "", 20, 5180),
        (hostapd("ht_capab=[HT40+][SHORT-GI-40]"), "", 40, 5180),
        (hostapd("ht_capab=[HT40-]", "vht_oper_chwidth=1"), "", 80, 5180),
        (hostapd("ht_capab=[HT40-]", "vht_oper_chwidth=0", "he_oper_chwidth=2"), "", 160, 5180),
    ],
)
def test_the_width_that_was_asked_for(text: bytes, subject: str, width: int, frequency: int) -> None:
    """By OpenWrt's mode, by its own tool, and by hostapd's capabilities."""
    assert (WifiSetting(subject=subject, width=width, frequency=frequency),) == SOURCE.parse(ASKED, text)


def test_a_band_that_nothing_names() -> None:
    """An automatic channel without a mode of the band."""
    assert (WifiSetting(subject="radio0", width=20),) == SOURCE.parse(ASKED, b"wireless.radio0.htmode='HT20'\n")


@pytest.mark.parametrize("payload", [*GARBAGE, b"", OPENWRT[:150], hostapd()])
def test_other_text_is_refused(payload: bytes) -> None:
    """Settings that name no width."""
    with pytest.raises(FormatError):
        SOURCE.parse(ASKED, payload)


def test_answers_the_file_and_the_tool() -> None:
    """Both are pasted."""
    assert SOURCE.answers(ReadFile(path="/etc/config/wireless"))
    assert SOURCE.answers(ran("uci show wireless"))


@pytest.mark.parametrize("text", [OPENWRT, UCI, hostapd("ht_capab=[HT40+]")])
def test_it_alone_claims_its_text(text: bytes) -> None:
    """Each form."""
    assert ["wireless_config"] == claimants(text)
