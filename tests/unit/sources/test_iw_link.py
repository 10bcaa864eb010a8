"""The parser of `iw dev X link` and `iwconfig`."""

import pytest

from fullrate.records.errors import FormatError
from fullrate.records.facts.wifi import WifiLink
from fullrate.records.leaf import Scope
from fullrate.records.radio import Generation
from fullrate.sources.iw_link import SOURCE
from tool_output import GARBAGE, ran
from unit.sources.pasted import ASKED, claimants, facts, pasted

IW = b"""\
Connected to 02:00:00:00:14:91 (on wlan0)
\tSSID: somename
\tfreq: 5180
\tsignal: -61 dBm
\trx bitrate: 390.0 MBit/s VHT-MCS 9 80MHz short GI VHT-NSS 1
\ttx bitrate: 433.3 MBit/s VHT-MCS 9 80MHz short GI VHT-NSS 1
"""


def test_every_field_of_iw() -> None:
    """The width is that of the channel."""
    made = {"width": 80, "generation": Generation.VHT, "streams": 1}
    expected = WifiLink(subject="wlan0", frequency=5180, signal=-61.0, tx_rate=433.3e6, rx_rate=390e6, **made)  # type: ignore[arg-type]
    assert (expected,) == SOURCE.parse(ASKED, IW)


def test_a_rate_without_a_width_is_of_20_mhz() -> None:
    """Iw leaves it out; of 802.11n eight indexes are a stream."""
    (found,) = SOURCE.parse(ran("iw dev wlan1 link"), b"\ttx bitrate: 144.4 MBit/s MCS 15 short GI\n")
    made = {"width": 20, "generation": Generation.HT, "streams": 2}
    assert WifiLink(subject="wlan1", tx_rate=144.4e6, **made) == found  # type: ignore[arg-type]


def test_a_rate_of_no_modulation_tells_no_width() -> None:
    """It is of a frame that manages the link, or of a pause."""
    (found,) = SOURCE.parse(ran("iw dev wlan1 link"), b"\ttx bitrate: 6.0 MBit/s\n")
    assert WifiLink(subject="wlan1", tx_rate=6e6) == found


def test_iwconfig_of_an_access_point() -> None:
    """Its signal level has no unit there, so it is not read."""
    (found,) = facts(SOURCE, pasted("iwconfig_ap"), WifiLink).values()
    assert ("wlx020000001491", 5180, None, None, 144.4e6, False) == (
        *(found.subject, found.frequency, found.width, found.signal, found.tx_rate, found.power_save),
    )


def test_iwconfig_between_links_that_are_no_radio() -> None:
    """The only radio, and what it may do."""
    expected = WifiLink(subject="wlan0", frequency=5540, signal=-79.0, tx_rate=13e6, power_save=True)
    assert {"wlan0": expected} == facts(SOURCE, pasted("iwconfig_weak"), WifiLink)


@pytest.mark.parametrize("payload", [*GARBAGE, b"", b"Not connected.\n", pasted("iw_station_dump")])
def test_other_text_is_refused(payload: bytes) -> None:
    """No link, no fact."""
    with pytest.raises(FormatError):
        SOURCE.parse(ASKED, payload)


@pytest.mark.parametrize("text", [IW, IW[:70], pasted("iwconfig_weak"), pasted("iwconfig_ap")])
def test_it_alone_claims_its_text(text: bytes) -> None:
    """Of iw and of iwconfig."""
    assert ["iw_link"] == claimants(text)


def test_asks_for_links_named_like_a_radio() -> None:
    """Others have no such answer."""
    asked = SOURCE.requests(Scope(links=("eth0", "wlp2s0")))
    assert ["run iw dev wlp2s0 link"] == [request.key for request in asked]
