"""The parser of `ethtool --show-eee`."""

import pytest

from fullrate.records.errors import FormatError
from fullrate.records.evidence import query
from fullrate.records.facts.phy import EnergyEfficiency
from fullrate.records.leaf import Scope
from fullrate.sources.ethtool_eee import SOURCE, parse
from tool_output import GARBAGE, ran, recorded

ASKED = ran("ethtool --show-eee eth0")
ACTIVE = recorded("phy/ethtool_show_eee_bcmgenet.txt")


def test_active_link_is_read() -> None:
    """A recorded board whose partner agreed."""
    assert (EnergyEfficiency(subject="eth0", supported=True, enabled=True, active=True),) == parse(ASKED, ACTIVE)


@pytest.mark.parametrize(
    ("status", "expected"),
    [
        ("not supported", (False, False, False)),
        ("disabled", (True, False, False)),
        ("enabled - inactive", (True, True, False)),
        ("enabled - active", (True, True, True)),
    ],
)
def test_every_status_is_known(status: str, expected: tuple[bool, bool, bool]) -> None:
    """The four words of netlink/eee.c."""
    (fact,) = parse(ASKED, f"EEE settings for eth1:\n\tEEE status: {status}\n".encode())
    assert ("eth1", expected) == (fact.subject, (fact.supported, fact.enabled, fact.active))


def test_older_title_is_read() -> None:
    """Before 5.10 the tool wrote Settings."""
    (fact,) = parse(ASKED, b"EEE Settings for enp0s30f4:\n\tEEE status: enabled - active\n\tTx LPI: 1000000 (us)\n")
    assert "enp0s30f4" == fact.subject


def test_grepped_line_takes_the_link_from_the_request() -> None:
    """The status alone is enough."""
    (fact,) = parse(ASKED, b"\tEEE status: disabled\n")
    assert EnergyEfficiency(subject="eth0", supported=True) == fact


@pytest.mark.parametrize("end", [10, 22, 30, 45])
def test_truncated_text_is_refused(end: int) -> None:
    """Cut before the end of the status."""
    with pytest.raises(FormatError):
        parse(ASKED, ACTIVE[:end])


@pytest.mark.parametrize("payload", [*GARBAGE, b"", b"EEE settings for eth0:\n\tEEE status: perhaps\n"])
def test_other_text_is_refused(payload: bytes) -> None:
    """What says no known status raises FormatError."""
    with pytest.raises(FormatError):
        parse(ASKED, payload)


def test_each_link_is_asked() -> None:
    """One request a link."""
    assert (query("ethtool", "--show-eee", "eth0"),) == SOURCE.requests(Scope(links=("eth0",)))


def test_own_request_is_answered_and_no_other() -> None:
    """Only --show-eee."""
    assert [True, False] == [SOURCE.answers(ran(command)) for command in ("ethtool --show-eee a", "ethtool -a a")]
