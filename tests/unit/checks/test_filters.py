"""Packet filter rules and how a chain is restored."""

from dataclasses import replace

import pytest

from fullrate.checks._filters import Chain, chain_of, chain_of_rule, rule_drops, rules, unseen
from fullrate.records.facts.net import FilterChain, FilterRule, FilterRuleset, FilterTables
from fullrate.records.view import View
from unit.checks.build import FAR, NEAR, Scene, change, healthy
from unit.checks.pairs import legacy, rule


def at(scene: Scene, hook: str | None) -> list[str]:
    """The subjects of the far end's rules, one of them at a hook."""
    view = scene.having(FAR, rule(1, hook=hook)).view()
    return [one.subject for one in rules(view, view.trial(), view.receiver)]


def hidden(scene: Scene) -> list[str]:
    """What could hide a discard at the receiver."""
    view = scene.view()
    return [ask.text for ask in unseen(view, view.trial(), view.receiver)]


def counted(*pairs: tuple[FilterRule, FilterRule]) -> View:
    """A view whose receiver shows these rules."""
    return healthy().having(FAR, *(last for _, last in pairs)).seeing(FAR, *pairs).view()


@pytest.mark.parametrize("hook", ["ingress", "prerouting", "input", None])
def test_receiver_passes_its_way_in(hook: str | None) -> None:
    """And whatever chain is called from there."""
    assert ["inet fw in 10"] == at(healthy(), hook)


@pytest.mark.parametrize("hook", ["output", "postrouting", "egress", "forward"])
def test_receiver_does_not_pass_other_hooks(hook: str) -> None:
    """Acknowledgements and others' packets do."""
    assert [] == at(healthy(), hook)


@pytest.mark.parametrize("hook", ["output", "postrouting", "egress"])
def test_sender_passes_its_way_out(hook: str) -> None:
    """The payload leaves there."""
    view = healthy().having(NEAR, rule(1, hook=hook)).view()
    assert 1 == len(rules(view, view.trial(), view.sender))


def test_rule_read_twice_is_one_rule() -> None:
    """At the start and for a later question."""
    scene = healthy().having(FAR, rule(1))
    scene = scene.with_side(FAR, replace(scene.far, facts=(*scene.far.facts, rule(5))))
    view = scene.view()
    assert [5] == [one.packets for one in rules(view, view.trial(), view.receiver)]


def test_worst_rule_comes_first() -> None:
    """By the segments it discarded; one that stood still is left out."""
    view = counted(
        (rule(0), rule(5)), (rule(0, handle=11), rule(9, handle=11)), (rule(3, handle=12), rule(3, handle=12))
    )
    drops = rule_drops(view, view.trial(), view.receiver)
    assert [(11, 9), (10, 5)] == [(one.rule.handle, one.segments) for one in drops]


def test_merged_packets_count_as_segments() -> None:
    """64,500 bytes in one packet are 43 segments of 1500."""
    view = counted((rule(0), rule(1, size=64_500)))
    assert 43 == rule_drops(view, view.trial(), view.receiver)[0].segments


def test_counted_rule_hides_nothing() -> None:
    """It was seen to stand still."""
    scene = healthy().having(FAR, rule(3)).seeing(FAR, (rule(3), rule(3)))
    assert [] == hidden(scene)


def test_uncounted_rule_hides_a_discard() -> None:
    """It asks for a counter."""
    scene = healthy().having(FAR, rule(None))
    assert ["add a counter on the far end to rule inet fw in 10: numgen random mod 100 < 5 drop"] == hidden(scene)


def test_counter_that_was_read_once_hides_a_discard() -> None:
    """How much it grew is not known."""
    assert 1 == len(hidden(healthy().having(FAR, rule(3))))


def test_counter_that_went_back_hides_a_discard() -> None:
    """The rules were loaded anew."""
    scene = healthy().having(FAR, rule(3)).seeing(FAR, (rule(3), rule(3)))
    assert 1 == len(hidden(change(scene, FAR, FilterRule, lambda fact: replace(fact, packets=0))))


@pytest.mark.parametrize(
    ("hook", "policy", "expected"), [("input", "drop", 1), ("forward", "drop", 0), ("input", "accept", 0)]
)
def test_policy_on_the_way_in_hides_a_discard(hook: str, policy: str, expected: int) -> None:
    """Where it drops, uncounted."""
    chain = FilterChain(subject="inet fw in", hook=hook, policy=policy, rules=2)
    assert expected == len(hidden(healthy().having(FAR, chain)))


def test_denied_ruleset_hides_everything() -> None:
    """The request that failed is what to repeat."""
    assert ["run nft --json list ruleset  (far end: needs root)"] == hidden(healthy().refusing(FAR, FilterRule))


def test_rules_that_were_not_read_hide_everything() -> None:
    """That no rule is there is known only where the rules were read."""
    assert ["FilterRule on the far end"] == hidden(healthy().lacking(FAR, FilterRuleset, "facts"))


def test_rules_of_one_program_alone_hide_the_others() -> None:
    """Tables of legacy iptables were read, nft's were not."""
    scene = healthy().lacking(FAR, FilterRuleset, "facts").having(FAR, FilterRuleset(subject="iptables-legacy filter"))
    assert ["FilterRule on the far end"] == hidden(scene)


@pytest.mark.parametrize(
    ("read", "expected"),
    [("iptables-legacy filter", 0), ("iptables filter", 0), ("ip6tables-legacy filter", 1), ("iptables-legacy nat", 1)],
)
def test_legacy_table_in_use_that_was_not_read_hides_everything(read: str, expected: int) -> None:
    """Of each table in use the rules must be there, whichever build of iptables-save listed them."""
    scene = healthy().having(FAR, FilterTables(subject="iptables", tables=("filter",)), FilterRuleset(subject=read))
    assert expected == len(hidden(scene))


@pytest.mark.parametrize("ruleset", [FilterRuleset(subject="nft", rules=1), FilterRuleset(subject="", chains=1)])
def test_a_rule_that_is_not_there_any_more_hides_everything(ruleset: FilterRuleset) -> None:
    """More were read than there are."""
    assert ["FilterRule on the far end"] == hidden(healthy().lacking(FAR, FilterRuleset, "facts").having(FAR, ruleset))


def test_chain_is_saved_and_loaded_as_one_transaction() -> None:
    """Nft applies a file whole or not at all: the chain is never left empty."""
    end = healthy().view().receiver
    expected = Chain(
        family="inet",
        table="fw",
        name="in",
        tool=None,
        save="(echo 'flush chain inet fw in'; nft list chain inet fw in) > fullrate-inet-fw-in.rules",
        restore="nft -f fullrate-inet-fw-in.rules",
    )
    assert expected == chain_of(end, "inet", "fw", "in")


def test_chain_of_iptables_is_restored_by_iptables() -> None:
    """Nft prints its matches in a form that nft cannot load."""
    base = FilterChain(subject="ip filter INPUT", hook="input", policy="accept", rules=2)
    chain = chain_of(healthy().having(FAR, base).view().receiver, "ip", "filter", "f2b-sshd")
    assert "iptables-save -c -t filter > fullrate-ip-filter-f2b-sshd.rules" == chain.save
    assert "iptables-restore -c -T filter < fullrate-ip-filter-f2b-sshd.rules" == chain.restore


def test_chain_of_legacy_iptables_is_restored_by_that_program() -> None:
    """Neither nft nor iptables-nft sees it; a chain of nft's of the same name is another one."""
    base = FilterChain(subject="ip filter INPUT", hook="input", policy="accept", rules=2)
    end = healthy().having(FAR, base).view().receiver
    chain = chain_of_rule(end, legacy(500))
    assert "iptables-legacy-save -c -t filter > fullrate-iptables-legacy-filter-INPUT.rules" == chain.save
    assert "iptables-legacy-restore -c -T filter < fullrate-iptables-legacy-filter-INPUT.rules" == chain.restore


@pytest.mark.parametrize(
    ("base", "family", "expected"),
    [
        ("ip filter INPUT", "ip", "iptables"),
        ("ip6 filter INPUT", "ip6", "ip6tables"),
        ("ip filter input", "ip", None),
        ("inet filter INPUT", "inet", None),
        ("ip nat OUTPUT", "ip", None),
    ],
)
def test_tables_of_iptables_have_its_chains(base: str, family: str, expected: str | None) -> None:
    """Upper-case base chains in a table of ip or ip6."""
    scene = healthy().having(FAR, FilterChain(subject=base, hook="input", policy="accept", rules=2))
    assert expected == chain_of(scene.view().receiver, family, "filter", "INPUT").tool


@pytest.mark.parametrize(("first", "last"), [(None, 5), (5, None)])
def test_counter_that_came_or_went_hides_a_discard(first: int | None, last: int | None) -> None:
    """The rule was made anew with or without it."""
    scene = healthy().having(FAR, rule(last)).seeing(FAR, (rule(first), rule(last)))
    assert 1 == len(hidden(scene))
