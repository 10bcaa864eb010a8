"""The parser of `iw dev`, `iw dev X info` and `iw dev X get power_save`."""

import pytest

from fullrate.records.errors import FormatError
from fullrate.records.facts.wifi import WifiLink
from fullrate.sources.iw_info import SOURCE
from tool_output import GARBAGE, ran
from unit.sources.pasted import ASKED, claimants, pasted

BOTH = pasted("iw_dev_2g")


def test_each_interface_with_its_channel() -> None:
    """In the order of the listing."""
    first, second = (
        WifiLink(subject=name, frequency=mhz, width=width)
        for name, mhz, width in (("wlan1", 5745, 80), ("wlan0", 2412, 20))
    )
    assert (first, second) == SOURCE.parse(ASKED, BOTH)


def test_an_interface_cut_off_before_its_channel() -> None:
    """It is on none."""
    assert ("wlan1",) == tuple(fact.subject for fact in SOURCE.parse(ASKED, BOTH[:-70]))


def test_power_save() -> None:
    """Of the link asked about."""
    found = SOURCE.parse(ran("iw dev wlp2s0 get power_save"), b"Power save: on\n")
    assert (WifiLink(subject="wlp2s0", power_save=True),) == found


@pytest.mark.parametrize("payload", [*GARBAGE, b"", b"phy#0\n\tInterface wlan0\n\t\tifindex 12\n"])
def test_other_text_is_refused(payload: bytes) -> None:
    """No channel, no fact."""
    with pytest.raises(FormatError):
        SOURCE.parse(ASKED, payload)


@pytest.mark.parametrize("command", ["iw dev", "iw dev wlan0 info", "iw dev wlan0 get power_save"])
def test_answers_its_commands(command: str) -> None:
    """All of them tell settings."""
    assert SOURCE.answers(ran(command))


@pytest.mark.parametrize("text", [BOTH, b"Power save: off\n"])
def test_it_alone_claims_its_text(text: bytes) -> None:
    """Each form."""
    assert ["iw_info"] == claimants(text)
