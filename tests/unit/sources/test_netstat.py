"""The source netstat."""

import pytest

from fullrate.records.errors import FormatError
from fullrate.records.evidence import ReadFile
from fullrate.records.facts.net import ProtocolCounters
from fullrate.records.leaf import Scope
from fullrate.sources.netstat import SOURCE
from proc_fixtures import GARBAGE, PASTED, fixture, parsed

DEBIAN12 = fixture("debian12/machine/proc_net_netstat.txt")
DEBIAN13 = fixture("debian13/machine/proc_net_netstat.txt")


@pytest.mark.parametrize(
    ("name", "value"),
    [("TcpExtTCPFastRetrans", 4483), ("IpExtInOctets", 4764297123), ("IpExtOutOctets", 5357817114)],
)
def test_counters(name: str, value: int) -> None:
    """Linux 6.1: each counter has nstat's name and its own value."""
    assert value == parsed(SOURCE, DEBIAN12, ProtocolCounters)["netstat"].counters[name]


@pytest.mark.parametrize(
    ("name", "value"), [("TcpExtTCPLossProbes", 95), ("IpExtInOctets", 5466673008), ("IpExtOutOctets", 5254547430)]
)
def test_counters_of_a_newer_kernel(name: str, value: int) -> None:
    """Linux 6.12: more counters before it do not shift a value."""
    assert value == parsed(SOURCE, DEBIAN13, ProtocolCounters)["netstat"].counters[name]


@pytest.mark.parametrize("machine", ["debian12", "debian13"])
def test_nstat_agrees(machine: str) -> None:
    """nstat, run right after the file was read, shows the same names and values."""
    facts = parsed(SOURCE, fixture(f"{machine}/machine/proc_net_netstat.txt"), ProtocolCounters)
    rows = fixture(f"{machine}/machine/nstat_asz.txt").decode().splitlines()[1:]
    shown = {name: int(value) for name, value, _ in map(str.split, rows)}
    assert {name: shown[name] for name in facts["netstat"].counters} == facts["netstat"].counters


def test_unknown_protocols_are_kept() -> None:
    """A line of a protocol nobody reads is kept, not dropped."""
    counters = parsed(SOURCE, b"NewExt: A B\nNewExt: 3 5\n", ProtocolCounters)["netstat"].counters
    assert {"NewExtA": 3, "NewExtB": 5} == counters


@pytest.mark.parametrize("payload", [DEBIAN12[:-4], DEBIAN12[:400], GARBAGE, b""])
def test_other_bytes_are_refused(payload: bytes) -> None:
    """A missing value, names without values, garbage and nothing lack the form."""
    with pytest.raises(FormatError):
        SOURCE.parse(PASTED, payload)


def test_values_of_another_line_are_refused() -> None:
    """A line of values must belong to the names above it."""
    with pytest.raises(FormatError, match="TcpExt"):
        SOURCE.parse(PASTED, b"TcpExt: A B\nIpExt: 3 5\n")


def test_request() -> None:
    """It is read on every host."""
    assert (ReadFile(path="/proc/net/netstat"),) == SOURCE.requests(Scope())


def test_sampled_ten_times_a_second() -> None:
    """It is in the fast tier."""
    assert 10 == SOURCE.sampled
