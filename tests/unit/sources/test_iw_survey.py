"""The parser of `iw dev X survey dump`."""

import pytest

from fullrate.records.errors import FormatError
from fullrate.records.facts.wifi import WifiChannel
from fullrate.sources.iw_survey import SOURCE
from tool_output import GARBAGE, ran
from unit.sources.pasted import ASKED, claimants, pasted

SURVEY = pasted("iw_survey")


def test_the_channel_in_use() -> None:
    """The others were only visited by a scan."""
    times = {"active": 497.753, "busy": 104.676, "receiving": 87.38, "sending": 16.494}
    assert (WifiChannel(subject="wl5g", frequency=2437, noise=-82.0, **times),) == SOURCE.parse(ASKED, SURVEY)


def test_one_table_is_of_the_channel_in_use() -> None:
    """Its mark may be cut off."""
    text = b"frequency: 5180 MHz\nchannel active time: 1000 ms\nchannel busy time: 300 ms\n"
    expected = WifiChannel(subject="wlan0", frequency=5180, active=1.0, busy=0.3)
    assert (expected,) == SOURCE.parse(ran("iw dev wlan0 survey dump"), text)


@pytest.mark.parametrize("payload", [*GARBAGE, b"", SURVEY[:100], SURVEY.replace(b" [in use]", b"")])
def test_other_text_is_refused(payload: bytes) -> None:
    """Times that are cut off, and several channels of which none is marked."""
    with pytest.raises(FormatError):
        SOURCE.parse(ASKED, payload)


def test_it_alone_claims_its_text() -> None:
    """Nothing else counts a channel's time."""
    assert ["iw_survey"] == claimants(SURVEY)
