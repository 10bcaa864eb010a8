"""The parser of `ethtool -m`."""

import pytest

from fullrate.records.errors import FormatError
from fullrate.records.evidence import query
from fullrate.records.facts.phy import OpticalModule
from fullrate.records.leaf import Scope
from fullrate.sources.ethtool_module import SOURCE, parse
from tool_output import GARBAGE, ran, recorded

ASKED = ran("ethtool -m eth2")
DARK = float("-inf")


def test_four_lanes_are_read_whole() -> None:
    """A QSFP28 with all its lanes lit."""
    expected = OpticalModule(
        subject="eth2",
        identifier="0x11 (QSFP28)",
        rx_powers=(-0.12, -0.09, 0.55, 0.55),
        rx_power_low_alarm=-13.31,
        rx_power_low_warning=-10.3,
        temperature=30.56,
        temperature_high_alarm=80.0,
    )
    assert (expected,) == parse(ASKED, recorded("phy/ethtool_m_qsfp28.txt"))


def test_unused_lanes_are_dark() -> None:
    """10 Gbit/s over one lane of a 40G module."""
    (fact,) = parse(ASKED, recorded("phy/ethtool_m_qsfp_one_lane.txt"))
    assert (-1.15, DARK, DARK, DARK) == fact.rx_powers


def test_zero_limits_are_none() -> None:
    """A page that could not be read is all zeros: no limit, and no temperature."""
    (fact,) = parse(ASKED, recorded("phy/ethtool_m_sfp_zeros.txt"))
    assert OpticalModule(subject="eth2", identifier="0x03 (SFP)", rx_powers=(DARK,)) == fact


def test_copper_module_measures_nothing() -> None:
    """A direct attach cable says what it is."""
    (fact,) = parse(ASKED, b"\tIdentifier          : 0x03 (SFP)\n\tConnector     : 0x21 (Copper pigtail)\n")
    assert OpticalModule(subject="eth2", identifier="0x03 (SFP)") == fact


def test_errors_of_the_tool_among_the_lines_are_no_hindrance() -> None:
    """Some drivers fail halfway."""
    (fact,) = parse(ASKED, b"\tIdentifier      : 0x03 (SFP)\nnetlink error: Unknown error 1820\n")
    assert () == fact.rx_powers


@pytest.mark.parametrize("within", ["Ident", "0x11", "0.9720 mW /", "80.00 degrees"])
def test_truncated_text_is_refused(within: str) -> None:
    """Cut in the identifier, within a power or a temperature."""
    text = recorded("phy/ethtool_m_qsfp28.txt").decode()
    end = text.index(within) + (len(within) if within[0] != "0" or " " in within else 0)
    with pytest.raises(FormatError):
        parse(ASKED, text[:end].encode())


@pytest.mark.parametrize("payload", [*GARBAGE, b"", b"\tIdentifier   :\n", b"\tVendor name   : Mellanox\n"])
def test_other_text_is_refused(payload: bytes) -> None:
    """What identifies no module raises FormatError."""
    with pytest.raises(FormatError):
        parse(ASKED, payload)


def test_strange_power_is_refused() -> None:
    """A power without dBm is not guessed at."""
    text = b"\tIdentifier   : 0x03 (SFP)\n\tReceiver signal average optical power     : 3 watts\n"
    with pytest.raises(FormatError, match="3 watts"):
        parse(ASKED, text)


def test_each_link_is_asked() -> None:
    """One request a link."""
    assert (query("ethtool", "-m", "eth0"),) == SOURCE.requests(Scope(links=("eth0",)))


def test_own_request_is_answered_and_no_other() -> None:
    """Only -m."""
    assert [True, False] == [SOURCE.answers(ran(command)) for command in ("ethtool -m eth0", "ethtool -g eth0")]
