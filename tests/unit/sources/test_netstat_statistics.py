"""The parser of `netstat -s`."""

import pytest

from fullrate.records.errors import FormatError
from fullrate.records.facts.net import ProtocolCounters
from fullrate.sources.netstat_statistics import SOURCE
from tool_output import GARBAGE, ran
from unit.sources.pasted import ASKED, claimants, facts, pasted

OLD = b"""\
Ip:
    10 total packets received
Tcp:
    7 segments send out
    3 segments retransmited
TcpExt:
    5 packets pruned from receive queue because of socket buffer overrun
    Detected reordering 9 times using SACK
    TCPBacklogDrop: 11
"""


def test_recorded_sentences_get_nstats_names() -> None:
    """Both groups of a whole answer."""
    found = facts(SOURCE, pasted("netstat_s"), ProtocolCounters)
    assert {"snmp", "netstat"} == set(found)
    assert found["snmp"].counters["TcpOutSegs"] > found["snmp"].counters["TcpRetransSegs"]
    assert "TcpExtTCPTimeouts" in found["netstat"].counters


def test_old_spellings_are_the_same_counters() -> None:
    """`send out` and `retransmited` are of net-tools before 1.60."""
    assert {"IpInReceives": 10, "TcpOutSegs": 7, "TcpRetransSegs": 3} == dict(
        facts(SOURCE, OLD, ProtocolCounters)["snmp"].counters
    )


def test_extended_counters_are_the_kernels() -> None:
    """Sentences, sentences with the number inside, and names alike."""
    expected = {"TcpExtPruneCalled": 5, "TcpExtTCPSACKReorder": 9, "TcpExtTCPBacklogDrop": 11}
    assert expected == dict(facts(SOURCE, OLD, ProtocolCounters)["netstat"].counters)


@pytest.mark.parametrize("payload", [*GARBAGE, b"", b"    7 packets sent\n"])
def test_other_text_is_refused(payload: bytes) -> None:
    """Nothing without the name of its protocol, where several have such a sentence."""
    with pytest.raises(FormatError):
        SOURCE.parse(ASKED, payload)


def test_lines_found_with_grep_say_enough() -> None:
    """Sentences that one protocol has, and the kernel's names."""
    found = facts(SOURCE, pasted("netstat_s_pruned"), ProtocolCounters)["netstat"].counters
    assert {"PruneCalled": 13336, "TCPBacklogDrop": 744165} == {
        name: found[f"TcpExt{name}"] for name in ("PruneCalled", "TCPBacklogDrop")
    }


def test_it_alone_claims_its_text() -> None:
    """An old answer too."""
    assert ["netstat_statistics"] == claimants(OLD)


def test_answers_its_command() -> None:
    """And not that for interfaces."""
    assert SOURCE.answers(ran("netstat -s"))
    assert not SOURCE.answers(ran("netstat -i"))
