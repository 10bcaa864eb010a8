"""The source snmp6."""

import pytest

from fullrate.records.errors import FormatError
from fullrate.records.evidence import ReadFile
from fullrate.records.facts.net import ProtocolCounters
from fullrate.records.leaf import Scope
from fullrate.sources.snmp6 import SOURCE
from proc_fixtures import GARBAGE, PASTED, fixture, parsed

OVERFLOWN = fixture("recorded/linux-6.18/proc_net_snmp6.txt")
FRAGMENTS = fixture("recorded/linux-6.18/proc_net_snmp6_fragments.txt")
# Linux 5.4 has no Ip6OutTransmits and no Udp6MemErrors
OLDER = b"".join(
    line
    for line in FRAGMENTS.splitlines(keepends=True)
    if not line.startswith((b"Ip6OutTransmits", b"Udp6MemErrors", b"UdpLite6MemErrors"))
)


@pytest.mark.parametrize(
    ("name", "value"),
    [("Udp6InDatagrams", 2), ("Udp6RcvbufErrors", 37), ("Udp6OutDatagrams", 41), ("Ip6InReceives", 46)],
)
def test_counters(name: str, value: int) -> None:
    """39 datagrams came to a socket that was read twice."""
    assert value == parsed(SOURCE, OVERFLOWN, ProtocolCounters)["snmp6"].counters[name]


@pytest.mark.parametrize("payload", [FRAGMENTS, OLDER], ids=["newer", "older"])
@pytest.mark.parametrize(("name", "value"), [("Ip6FragCreates", 9), ("Ip6ReasmOKs", 3)])
def test_fragments(payload: bytes, name: str, value: int) -> None:
    """Three datagrams of 4000 bytes over an MTU of 1500."""
    assert value == parsed(SOURCE, payload, ProtocolCounters)["snmp6"].counters[name]


def test_one_fact_holds_all() -> None:
    """Every line of the file."""
    assert len(OVERFLOWN.splitlines()) == len(parsed(SOURCE, OVERFLOWN, ProtocolCounters)["snmp6"].counters)


@pytest.mark.parametrize("payload", [OVERFLOWN[:20], OVERFLOWN + b"Udp6In", GARBAGE, b""])
def test_other_bytes_are_refused(payload: bytes) -> None:
    """A name without a value, garbage and nothing lack the form."""
    with pytest.raises(FormatError):
        SOURCE.parse(PASTED, payload)


def test_request() -> None:
    """It is read on every host."""
    assert (ReadFile(path="/proc/net/snmp6"),) == SOURCE.requests(Scope())
