"""The parser of `ethtool -i`."""

import pytest

from fullrate.records.errors import FormatError
from fullrate.records.evidence import query
from fullrate.records.facts.ethtool import DriverInfo
from fullrate.records.leaf import Scope
from fullrate.sources.ethtool_driver import SOURCE, parse
from tool_output import GARBAGE, ran, recorded

ASKED = ran("ethtool -i eth3")


@pytest.mark.parametrize(
    ("generation", "version"), [("debian12", "6.1.0-57-amd64"), ("debian13", "6.12.117+deb13-amd64")]
)
def test_physical_nic_is_read_whole(generation: str, version: str) -> None:
    """Driver, version, firmware and bus of a PCI NIC; the link is the one asked for."""
    expected = DriverInfo(
        subject="eth3", driver="igb", version=version, firmware_version="2.1.0", bus_info="0000:81:00.0"
    )
    assert (expected,) == parse(ASKED, recorded(f"{generation}/igb/ethtool_i.txt"))


def test_empty_values_are_none() -> None:
    """A veth has neither firmware nor bus."""
    expected = DriverInfo(subject="veth0", driver="veth", version="1.0")
    assert (expected,) == parse(ran("ethtool -i veth0"), recorded("debian13/veth/ethtool_i.txt"))


def test_values_may_hold_colons() -> None:
    """Only the first colon separates."""
    (fact,) = parse(ASKED, b"driver: cdc_ncm\nversion: 6.12.85\nbus-info: usb-0000:01:00.0-2\n")
    assert "usb-0000:01:00.0-2" == fact.bus_info


def test_pasted_command_is_skipped() -> None:
    """A prompt above the answer does no harm."""
    (fact,) = parse(ASKED, b"root@nas:~# ethtool -i eth3\ndriver: r8169\n")
    assert "r8169" == fact.driver


def test_truncated_text_is_refused() -> None:
    """A line cut in its name is an error."""
    with pytest.raises(FormatError):
        parse(ASKED, recorded("debian12/igb/ethtool_i.txt")[:50])


@pytest.mark.parametrize("payload", [*GARBAGE, b"", b"driver:\nversion: 1\n", b"version: 1\n"])
def test_other_text_is_refused(payload: bytes) -> None:
    """What names no driver raises FormatError."""
    with pytest.raises(FormatError):
        parse(ASKED, payload)


def test_each_link_is_asked() -> None:
    """One request a link under test."""
    assert (query("ethtool", "-i", "eth0"),) == SOURCE.requests(Scope(links=("eth0",)))


def test_own_request_is_answered_and_no_other() -> None:
    """Only -i is its own."""
    assert [True, False] == [SOURCE.answers(ran(command)) for command in ("ethtool -i eth3", "ethtool -S eth3")]
