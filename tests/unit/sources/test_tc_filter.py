"""The parser of `tc -s filter`."""

import pytest

from fullrate.records.errors import FormatError
from fullrate.records.facts.qdisc import Policer
from fullrate.sources.tc_filter import SOURCE
from tool_output import GARBAGE, ran
from unit.sources.pasted import ASKED, claimants

POLICE = b"""\
filter protocol all pref 49152 u32 chain 0 fh 800::800 order 2048 key ht 800 bkt 0 flowid :1
 police 0x1 rate 100Mbit burst 128Kb mtu 2Kb action drop overhead 0b
\tref 1 bind 1  installed 12 sec used 0 sec
 Action statistics:
\tSent 18023412 bytes 12004 pkt (dropped 733, overlimits 734 requeues 0)
"""


def test_rate_and_drops() -> None:
    """The link is the command's."""
    expected = Policer(subject="eth0", index="0x1", rate=1e8, sent_bytes=18023412, dropped=733)
    assert (expected,) == SOURCE.parse(ran("tc -s filter show dev eth0 ingress"), POLICE)


def test_without_statistics() -> None:
    """Two of them, and the link named in the text."""
    text = b"filter dev eth1 protocol all pref 1 matchall\n\taction order 1:  police 0x2 rate 1Gbit burst 1Kb\n"
    assert (Policer(subject="eth1", index="0x2", rate=1e9),) * 2 == SOURCE.parse(ASKED, text * 2)


def test_other_filters_have_no_policer() -> None:
    """They are read all the same."""
    assert () == SOURCE.parse(ASKED, POLICE.splitlines()[0])


@pytest.mark.parametrize("payload", [*GARBAGE, b"", POLICE.replace(b"Mbit", b"MYbit")])
def test_other_text_is_refused(payload: bytes) -> None:
    """No filter, or no rate."""
    with pytest.raises(FormatError):
        SOURCE.parse(ASKED, payload)


def test_it_alone_claims_its_text() -> None:
    """By the filter's line."""
    assert ["tc_filter"] == claimants(POLICE)
