"""The parser of `ethtool -g`."""

import pytest

from fullrate.records.errors import FormatError
from fullrate.records.evidence import query
from fullrate.records.facts.ethtool import Rings
from fullrate.records.leaf import Scope
from fullrate.sources.ethtool_rings import SOURCE, parse
from tool_output import GARBAGE, ran, recorded

ASKED = ran("ethtool -g eth7")
DISTINCT = b"""\
Ring parameters for enp65s0:
Pre-set maximums:
RX:\t\t8192
RX Mini:\tn/a
RX Jumbo:\tn/a
TX:\t\t4096
Current hardware settings:
RX:\t\t1024
RX Mini:\tn/a
RX Jumbo:\tn/a
TX:\t\t512
"""


@pytest.mark.parametrize("generation", ["debian12", "debian13"])
def test_rings_of_both_generations(generation: str) -> None:
    """The newer layout, with push buffers, gives the same rings."""
    expected = Rings(subject="eth7", rx=1024, rx_max=4096, tx=512, tx_max=4096)
    assert (expected,) == parse(ASKED, recorded(f"{generation}/vmxnet3/ethtool_g.txt"))


def test_each_value_has_its_own_place() -> None:
    """Four different sizes land in four fields."""
    expected = Rings(subject="enp65s0", rx=1024, rx_max=8192, tx=512, tx_max=4096)
    assert (expected,) == parse(ASKED, DISTINCT)


def test_jumbo_and_mini_rings_are_not_mistaken() -> None:
    """The receive ring is RX alone."""
    (fact,) = parse(ASKED, recorded("debian12/netdevsim/ethtool_g.txt"))
    assert (0, 4096) == (fact.rx, fact.rx_max)


def test_value_not_available_is_none() -> None:
    """A value not available is no number."""
    (fact,) = parse(ASKED, DISTINCT.replace(b"TX:\t\t512", b"TX:\t\tn/a"))
    assert (None, 4096) == (fact.tx, fact.tx_max)


@pytest.mark.parametrize("end", [40, 120, 150, 165])
def test_truncated_text_is_refused(end: int) -> None:
    """A table cut short is an error."""
    with pytest.raises(FormatError):
        parse(ASKED, recorded("debian12/igb/ethtool_g.txt")[:end])


@pytest.mark.parametrize("payload", [*GARBAGE, b"", b"Ring parameters for eth7:\n"])
def test_other_text_is_refused(payload: bytes) -> None:
    """What is not of ethtool -g raises FormatError."""
    with pytest.raises(FormatError):
        parse(ASKED, payload)


def test_word_for_a_size_is_refused() -> None:
    """A ring of `many` descriptors is an error."""
    with pytest.raises(FormatError, match="many"):
        parse(ASKED, DISTINCT.replace(b"1024", b"many"))


def test_each_link_is_asked() -> None:
    """One request a link under test."""
    assert (query("ethtool", "-g", "eth0"),) == SOURCE.requests(Scope(links=("eth0",)))


def test_own_request_is_answered_and_no_other() -> None:
    """Only -g is its own."""
    assert [True, False] == [SOURCE.answers(ran(command)) for command in ("ethtool -g eth7", "ethtool -G eth7")]
