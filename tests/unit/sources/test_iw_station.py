"""The parser of `iw dev X station dump`."""

import pytest

from fullrate.records.errors import FormatError
from fullrate.records.facts.wifi import WifiLink
from fullrate.records.radio import Generation
from fullrate.sources.iw_station import SOURCE
from tool_output import GARBAGE, ran
from unit.sources.pasted import ASKED, claimants, facts, pasted

DUMP = pasted("iw_station_dump")
FIRST = WifiLink(
    subject="wlan0",
    width=20,
    generation=Generation.HT,
    streams=1,
    signal=-53.0,
    tx_rate=72.2e6,
    rx_rate=24e6,
    sent=5778,
    retries=0,
)


def test_the_station_with_most_traffic() -> None:
    """Its retries are those of the packets sent to it."""
    (found,) = facts(SOURCE, DUMP, WifiLink).values()
    assert ("wlan0", 40, 2, -59.0, 300e6, 216e6, 96594, 2732) == (
        *(found.subject, found.width, found.streams, found.signal, found.tx_rate, found.rx_rate, found.sent),
        found.retries,
    )


def test_a_table_that_is_cut_off() -> None:
    """What is there counts; what is not is not known."""
    assert (FIRST,) == SOURCE.parse(ASKED, DUMP[: DUMP.index(b"Station 02:00:00:8f:95:55")])


def test_a_table_without_its_head() -> None:
    """The link is the one asked about."""
    (found,) = SOURCE.parse(
        ran("iw dev wlan1 station dump"), b"\tinactive time:\t10 ms\n\tsignal:  \t-59 [-59, -56] dBm\n"
    )
    assert WifiLink(subject="wlan1", signal=-59.0) == found


@pytest.mark.parametrize("payload", [*GARBAGE, b"", b"Station\n", b"rx bitrate: 1.0 MBit/s\n"])
def test_other_text_is_refused(payload: bytes) -> None:
    """No station, no fact."""
    with pytest.raises(FormatError):
        SOURCE.parse(ASKED, payload)


@pytest.mark.parametrize("command", ["iw dev wlan0 station dump", "iw wlan0 station get 02:00:00:00:00:01"])
def test_answers_both_of_its_commands(command: str) -> None:
    """All stations, or one."""
    assert SOURCE.answers(ran(command))


def test_it_alone_claims_its_text() -> None:
    """Rates stand in it as in the answer about a link."""
    assert ["iw_station"] == claimants(DUMP)
