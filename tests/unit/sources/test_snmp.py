"""The source snmp."""

import pytest

from fullrate.records.errors import FormatError
from fullrate.records.evidence import ReadFile
from fullrate.records.facts.net import ProtocolCounters
from fullrate.records.leaf import Scope
from fullrate.sources.snmp import SOURCE
from proc_fixtures import GARBAGE, PASTED, fixture, parsed

DEBIAN12 = fixture("debian12/machine/proc_net_snmp.txt")
DEBIAN13 = fixture("debian13/machine/proc_net_snmp.txt")

# settings and gauges, which nstat does not show
NO_COUNTERS = {
    "IpForwarding",
    "IpDefaultTTL",
    "TcpRtoAlgorithm",
    "TcpRtoMin",
    "TcpRtoMax",
    "TcpMaxConn",
    "TcpCurrEstab",
}


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("IpInReceives", 395672),
        ("IpOutRequests", 164662),
        ("IcmpOutEchos", 8),
        ("IcmpMsgOutType8", 8),
        ("TcpMaxConn", -1),
        ("TcpActiveOpens", 30),
        ("TcpInSegs", 395664),
        ("TcpOutSegs", 3744380),
        ("TcpRetransSegs", 4498),
        ("TcpOutRsts", 63),
        ("UdpRcvbufErrors", 0),
    ],
)
def test_counters(name: str, value: int) -> None:
    """Linux 6.1: each counter has nstat's name and its own value."""
    assert value == parsed(SOURCE, DEBIAN12, ProtocolCounters)["snmp"].counters[name]


@pytest.mark.parametrize(("name", "value"), [("TcpRetransSegs", 3803), ("IpOutTransmits", 146655)])
def test_counters_of_a_newer_kernel(name: str, value: int) -> None:
    """Linux 6.12: a counter that came later is kept too."""
    assert value == parsed(SOURCE, DEBIAN13, ProtocolCounters)["snmp"].counters[name]


@pytest.mark.parametrize("machine", ["debian12", "debian13"])
def test_nstat_agrees(machine: str) -> None:
    """nstat, run right after the file was read, shows the same names and values; it leaves settings out."""
    counters = parsed(SOURCE, fixture(f"{machine}/machine/proc_net_snmp.txt"), ProtocolCounters)["snmp"].counters
    rows = fixture(f"{machine}/machine/nstat_asz.txt").decode().splitlines()[1:]
    shown = {name: int(value) for name, value, _ in map(str.split, rows)}
    assert {name: value for name, value in shown.items() if name in counters} == {
        name: value for name, value in counters.items() if name not in NO_COUNTERS
    }


def test_one_fact_holds_all() -> None:
    """Every name of the file is in the one fact."""
    names = sum(len(line.split()) - 1 for line in DEBIAN12.splitlines()[::2])
    assert names == len(parsed(SOURCE, DEBIAN12, ProtocolCounters)["snmp"].counters)


@pytest.mark.parametrize("payload", [DEBIAN12[:-4], DEBIAN12[:100], GARBAGE, b""])
def test_other_bytes_are_refused(payload: bytes) -> None:
    """A missing value, names without values, garbage and nothing lack the form."""
    with pytest.raises(FormatError):
        SOURCE.parse(PASTED, payload)


def test_request() -> None:
    """It is read on every host."""
    assert (ReadFile(path="/proc/net/snmp"),) == SOURCE.requests(Scope())


def test_sampled_ten_times_a_second() -> None:
    """It is in the fast tier."""
    assert 10 == SOURCE.sampled
