"""The parser of `nft list ruleset` in words."""

import pytest

from fullrate.records.errors import FormatError
from fullrate.records.facts.net import FilterRule
from fullrate.sources.nft_list import SOURCE
from tool_output import GARBAGE, ran
from unit.sources.pasted import ASKED, claimants

LIST = b"""\
table inet filter {
\tchain input {
\t\ttype filter hook input priority filter; policy drop;
\t\tct state established accept
\t\ttcp dport 5201 counter packets 4031 bytes 60000 drop # handle 7
\t}
\tchain mine {
\t\tudp dport 5201 reject with icmp port-unreachable
\t}
}
"""


def rules() -> list[FilterRule]:
    """What the listing holds."""
    return [fact for fact in SOURCE.parse(ASKED, LIST) if isinstance(fact, FilterRule)]


def test_a_policy_that_drops_is_a_rule() -> None:
    """It stands before the chain's rules, without a count."""
    policy = rules()[0]
    assert ("inet filter input 0", "drop", None, "input") == (
        policy.subject,
        policy.verdict,
        policy.packets,
        policy.hook,
    )


def test_a_rule_with_its_count_and_handle() -> None:
    """What accepts is left out."""
    expected = FilterRule(
        subject="inet filter input 7",
        family="inet",
        table="filter",
        chain="input",
        handle=7,
        hook="input",
        text="tcp dport 5201 counter packets 4031 bytes 60000 drop",
        verdict="drop",
        packets=4031,
        bytes=60000,
    )
    assert expected == rules()[1]


def test_a_rule_without_either() -> None:
    """Of a chain that no hook calls; it is numbered by its place."""
    rule = rules()[2]
    assert ("mine", None, 1, "reject", None) == (rule.chain, rule.hook, rule.handle, rule.verdict, rule.packets)


@pytest.mark.parametrize("payload", [*GARBAGE, b"", b"\tchain input {\n"])
def test_other_text_is_refused(payload: bytes) -> None:
    """No table."""
    with pytest.raises(FormatError):
        SOURCE.parse(ASKED, payload)


def test_it_alone_claims_its_text() -> None:
    """And answers its command, not the one in JSON."""
    assert ["nft_list"] == claimants(LIST)
    assert SOURCE.answers(ran("nft list ruleset"))
    assert not SOURCE.answers(ran("nft -j list ruleset"))
