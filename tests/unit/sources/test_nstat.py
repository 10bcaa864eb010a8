"""The parser of `nstat`."""

import pytest

from fullrate.records.errors import FormatError
from fullrate.records.facts.net import ProtocolCounters
from fullrate.sources.nstat import SOURCE
from tool_output import GARBAGE, ran
from unit.sources.pasted import ASKED, facts, pasted

SHORT = b"#kernel\nTcpRetransSegs    17    0.0\nTcpExtTCPTimeouts   3    0.0\nUdp6InDatagrams  5  0.0\n"


def test_counters_stand_in_the_groups_of_the_kernels_files() -> None:
    """As checks look for them."""
    found = {name: dict(fact.counters) for name, fact in facts(SOURCE, SHORT, ProtocolCounters).items()}
    assert {
        "snmp": {"TcpRetransSegs": 17},
        "netstat": {"TcpExtTCPTimeouts": 3},
        "snmp6": {"Udp6InDatagrams": 5},
    } == found


def test_recorded_answer_is_read_whole() -> None:
    """Every line is a counter."""
    lines = pasted("nstat_az").decode().splitlines()
    found = facts(SOURCE, pasted("nstat_az"), ProtocolCounters)
    assert len(lines) - 1 == sum(len(fact.counters) for fact in found.values())


@pytest.mark.parametrize("payload", [*GARBAGE, b"", b"#kernel\n", b"TcpRetransSegs many\n"])
def test_other_text_is_refused(payload: bytes) -> None:
    """No counter, or none with a number."""
    with pytest.raises(FormatError):
        SOURCE.parse(ASKED, payload)


def test_answers_its_command() -> None:
    """Whatever its options."""
    assert SOURCE.answers(ran("nstat -asz"))
