"""The parser of OpenWrt's `iwinfo`."""

import pytest

from fullrate.records.errors import FormatError
from fullrate.records.facts.wifi import WifiLink
from fullrate.records.radio import Generation
from fullrate.sources.iwinfo import SOURCE
from tool_output import GARBAGE, ran
from unit.sources.pasted import ASKED, claimants, pasted

STATIONS = pasted("iwinfo_assoclist")
LINK = b"""\
wlan0     ESSID: "OpenWrt_5g"
          Access Point: 02:00:00:65:02:CD
          Mode: Master  Channel: 36 (5.180 GHz)  HT Mode: VHT80
          Tx-Power: 15 dBm  Link Quality: 49/70
          Signal: -61 dBm  Noise: -89 dBm
          Bit Rate: 433.3 MBit/s
          Encryption: none
wlan1     ESSID: "OpenWrt_2g"
          Access Point: 02:00:00:65:02:CE
          Mode: Master  Channel: 6 (2.437 GHz)
          Signal: unknown  Noise: unknown
          Bit Rate: unknown
"""


def test_the_busiest_station() -> None:
    """By the packets of both ways; of the link asked about."""
    made = {"width": 20, "generation": Generation.HT, "streams": 2}
    expected = WifiLink(subject="wlan0", signal=-51.0, tx_rate=130e6, rx_rate=144.4e6, **made)  # type: ignore[arg-type]
    assert (expected,) == SOURCE.parse(ran("iwinfo wlan0 assoclist"), STATIONS)


def test_each_link() -> None:
    """What is unknown is not known."""
    first = WifiLink(subject="wlan0", frequency=5180, width=80, signal=-61.0, tx_rate=433.3e6)
    assert (first, WifiLink(subject="wlan1", frequency=2437)) == SOURCE.parse(ASKED, LINK)


@pytest.mark.parametrize("payload", [*GARBAGE, b"", STATIONS[60:130]])
def test_other_text_is_refused(payload: bytes) -> None:
    """Neither link nor station."""
    with pytest.raises(FormatError):
        SOURCE.parse(ASKED, payload)


def test_a_station_that_is_cut_off() -> None:
    """Its signal is there, its rates are not."""
    assert (WifiLink(subject="", signal=-51.0),) == SOURCE.parse(ASKED, STATIONS[:58])


@pytest.mark.parametrize("text", [STATIONS, LINK])
def test_it_alone_claims_its_text(text: bytes) -> None:
    """Both forms."""
    assert ["iwinfo"] == claimants(text)
