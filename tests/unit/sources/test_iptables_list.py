"""The parser of `iptables -L -v -n`."""

import pytest

from fullrate.records.errors import FormatError
from fullrate.records.facts.net import FilterRule
from fullrate.sources.iptables_list import SOURCE
from tool_output import GARBAGE, ran
from unit.sources.pasted import ASKED, claimants

LIST = b"""\
Chain INPUT (policy DROP 12 packets, 720 bytes)
 pkts bytes target     prot opt in     out     source               destination
   99  9900 ACCEPT     all  --  lo     *       0.0.0.0/0            0.0.0.0/0
 4031   60K DROP       tcp  --  *      *       0.0.0.0/0            0.0.0.0/0            tcp dpt:5201

Chain mine (1 references)
target     prot opt source               destination
REJECT     udp  --  anywhere             anywhere             udp dpt:5201
"""


def rules(command: str = "iptables -L -v -n") -> tuple[FilterRule, ...]:
    """What the listing holds."""
    found = SOURCE.parse(ran(command), LIST)
    return tuple(fact for fact in found if isinstance(fact, FilterRule))


def test_a_policy_that_drops_is_a_rule() -> None:
    """Number 0 of its chain."""
    policy = rules()[0]
    assert ("iptables filter INPUT 0", "drop", 12, 720, "input") == (
        *(policy.subject, policy.verdict, policy.packets, policy.bytes, policy.hook),
    )


def test_rules_are_numbered_and_counted() -> None:
    """Rounded counts are read as they are; what accepts is left out."""
    rule = rules()[1]
    assert (2, 4031, 60_000, "drop") == (rule.handle, rule.packets, rule.bytes, rule.verdict)


def test_without_counters_there_are_none() -> None:
    """A chain that no hook calls."""
    rule = rules()[2]
    assert ("mine", None, None, "reject", None) == (rule.chain, rule.packets, rule.bytes, rule.verdict, rule.hook)


def test_program_and_table_are_the_commands() -> None:
    """Of the other family."""
    assert ("ip6", "mangle") == (
        rules("ip6tables -t mangle -nvL")[0].family,
        rules("ip6tables -t mangle -nvL")[0].table,
    )


@pytest.mark.parametrize("payload", [*GARBAGE, b""])
def test_other_text_is_refused(payload: bytes) -> None:
    """No chain."""
    with pytest.raises(FormatError):
        SOURCE.parse(ASKED, payload)


@pytest.mark.parametrize(
    ("command", "expected"), [("iptables -nvL", True), ("iptables --list", True), ("iptables -V", False)]
)
def test_answers_listings_only(command: str, expected: bool) -> None:  # noqa: FBT001 - a column of the table
    """However their options are joined."""
    assert expected == SOURCE.answers(ran(command))


def test_it_alone_claims_its_text() -> None:
    """By a chain's head."""
    assert ["iptables_list"] == claimants(LIST)
