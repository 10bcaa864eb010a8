"""The source net_dev."""

import pytest

from fullrate.records.errors import FormatError
from fullrate.records.evidence import ReadFile
from fullrate.records.facts.link import LinkCounters
from fullrate.records.leaf import Scope
from fullrate.sources.net_dev import SOURCE
from proc_fixtures import GARBAGE, PASTED, fixture, parsed

DEBIAN12 = fixture("debian12/machine/proc_net_dev.txt")
DEBIAN13 = fixture("debian13/machine/proc_net_dev.txt")
COUNTED = b"  eth0: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16\n"  # every column its own number


def test_counters_of_a_link() -> None:
    """Linux 6.1: each counter stands in its field."""
    expected = LinkCounters(
        subject="eth2",
        rx_bytes=695101263,
        rx_packets=463480,
        rx_errors=2,
        rx_dropped=0,
        tx_bytes=441676663,
        tx_packets=296662,
        tx_errors=0,
        tx_dropped=0,
    )
    assert expected == parsed(SOURCE, DEBIAN12, LinkCounters)["eth2"]


def test_counters_of_a_newer_kernel() -> None:
    """Linux 6.12: each counter stands in its field."""
    expected = LinkCounters(
        subject="eth1",
        rx_bytes=313501347,
        rx_packets=219165,
        rx_errors=0,
        rx_dropped=16221,
        tx_bytes=328247977,
        tx_packets=221636,
        tx_errors=0,
        tx_dropped=1,
    )
    assert expected == parsed(SOURCE, DEBIAN13, LinkCounters)["eth1"]


def test_columns_are_told_apart() -> None:
    """No two columns are mixed up."""
    expected = LinkCounters(
        subject="eth0",
        rx_bytes=1,
        rx_packets=2,
        rx_errors=3,
        rx_dropped=4,
        tx_bytes=9,
        tx_packets=10,
        tx_errors=11,
        tx_dropped=12,
    )
    assert expected == parsed(SOURCE, COUNTED, LinkCounters)["eth0"]


def test_every_link_is_read() -> None:
    """Links that carried nothing are facts too."""
    names = "lo eth0 eth1 eth2 eth3 eth4 eth5 eth6 eth7 eth8 eth9 dum0 bond0 vl10 br0 eth10"
    assert names.split() == list(parsed(SOURCE, DEBIAN12, LinkCounters))


def test_no_space_after_the_name() -> None:
    """Old kernels printed wide numbers right after the colon."""
    counters = parsed(SOURCE, COUNTED.replace(b": 1", b":1"), LinkCounters)
    assert 1 == counters["eth0"].rx_bytes


@pytest.mark.parametrize("payload", [DEBIAN12[:-30], DEBIAN12[:200], GARBAGE, b""])
def test_other_bytes_are_refused(payload: bytes) -> None:
    """A cut line, headers alone, garbage and nothing lack the form."""
    with pytest.raises(FormatError):
        SOURCE.parse(PASTED, payload)


def test_request() -> None:
    """It is read on every host, ten times a second in a trial."""
    assert (ReadFile(path="/proc/net/dev"),) == SOURCE.requests(Scope())


def test_sampled_ten_times_a_second() -> None:
    """The counters carry the throughput, so they are in the fast tier."""
    assert 10 == SOURCE.sampled


def test_answers_its_own_request_only() -> None:
    """A reply about another file is not its own."""
    assert [True, False] == [SOURCE.answers(ReadFile(path=path)) for path in ("/proc/net/dev", "/proc/net/snmp")]
