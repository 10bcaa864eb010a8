"""The parser of `iw dev X link` and `iwconfig`."""

import pytest

from fullrate.records.errors import FormatError
from fullrate.records.facts.wifi import WifiLink
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
    expected = WifiLink(subject="wlan0", frequency=5180, width=80, signal=-61.0, tx_rate=433.3e6, rx_rate=390e6)
    assert (expected,) == SOURCE.parse(ASKED, IW)


def test_a_rate_without_a_width_is_of_20_mhz() -> None:
    """Iw leaves it out."""
    (found,) = SOURCE.parse(ran("iw dev wlan1 link"), b"\ttx bitrate: 144.4 MBit/s MCS 15 short GI\n")
    assert WifiLink(subject="wlan1", width=20, tx_rate=144.4e6) == found


def test_iwconfig_of_an_access_point() -> None:
    """Its signal level has no unit there, so it is not read."""
    (found,) = facts(SOURCE, pasted("iwconfig_ap"), WifiLink).values()
    assert ("wlx020000001491", 5180, None, None, 144.4e6, False) == (
        *(found.subject, found.frequency, found.width, found.signal, found.tx_rate, found.power_save),
    )


@pytest.mark.parametrize("payload", [*GARBAGE, b"", b"Not connected.\n"])
def test_other_text_is_refused(payload: bytes) -> None:
    """No link, no fact."""
    with pytest.raises(FormatError):
        SOURCE.parse(ASKED, payload)


def test_it_alone_claims_its_text() -> None:
    """Of iw."""
    assert ["iw_link"] == claimants(IW)
