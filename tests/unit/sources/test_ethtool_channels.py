"""The parser of `ethtool -l`."""

import pytest

from fullrate.records.errors import FormatError
from fullrate.records.evidence import query
from fullrate.records.facts.ethtool import Channels
from fullrate.records.leaf import Scope
from fullrate.sources.ethtool_channels import SOURCE, parse
from tool_output import GARBAGE, ran, recorded

ASKED = ran("ethtool -l eth3")
GENERATIONS = pytest.mark.parametrize("generation", ["debian12", "debian13"])
DISTINCT = b"""\
Channel parameters for eth4:
Pre-set maximums:
RX:\t\t16
TX:\t\t15
Other:\t\t2
Combined:\t14
Current hardware settings:
RX:\t\t6
TX:\t\t5
Other:\t\t1
Combined:\t4
"""


@GENERATIONS
def test_combined_channels(generation: str) -> None:
    """The igb driver has combined channels only."""
    expected = Channels(subject="eth3", combined=4, combined_max=8)
    assert (expected,) == parse(ASKED, recorded(f"{generation}/igb/ethtool_l.txt"))


@GENERATIONS
def test_separate_channels(generation: str) -> None:
    """A veth has receive and transmit channels only."""
    expected = Channels(subject="veth0", rx=1, rx_max=4, tx=1, tx_max=4)
    assert (expected,) == parse(ASKED, recorded(f"{generation}/veth/ethtool_l.txt"))


def test_each_value_has_its_own_place() -> None:
    """Six different counts land in six fields; Other is not taken for one of them."""
    expected = Channels(subject="eth4", rx=6, rx_max=16, tx=5, tx_max=15, combined=4, combined_max=14)
    assert (expected,) == parse(ASKED, DISTINCT)


@pytest.mark.parametrize("end", [30, 100, 139, 142, 150])
def test_truncated_text_is_refused(end: int) -> None:
    """Tables that do not hold the same rows are an error."""
    payload = recorded("debian12/igb/ethtool_l.txt")
    assert payload.rindex(b"4") > end
    with pytest.raises(FormatError):
        parse(ASKED, payload[:end])


@pytest.mark.parametrize("payload", [*GARBAGE, b"", b"Channel parameters for eth3:\n"])
def test_other_text_is_refused(payload: bytes) -> None:
    """What is not of ethtool -l raises FormatError."""
    with pytest.raises(FormatError):
        parse(ASKED, payload)


def test_each_link_is_asked() -> None:
    """One request a link under test."""
    assert (query("ethtool", "-l", "eth0"),) == SOURCE.requests(Scope(links=("eth0",)))


def test_own_request_is_answered_and_no_other() -> None:
    """Only -l is its own."""
    assert [True, False] == [SOURCE.answers(ran(command)) for command in ("ethtool -l eth3", "ethtool -L eth3")]
