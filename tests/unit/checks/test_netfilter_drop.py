"""A filter rule that discards the test's packets."""

from dataclasses import replace

import pytest

from fullrate.checks.netfilter_drop import CHECK
from fullrate.records.facts.net import FilterChain, FilterRule
from fullrate.records.finding import Confidence, Judgement
from unit.checks.build import FAR, NEAR, Scene, asked, change, evidence, found, healthy, judged
from unit.checks.pairs import legacy, rule, socket
from unit.checks.scenes import filtered, lossy, shaped
from unit.checks.scenes_tcp import flow, path
from unit.checks.scenes_udp import ruled as discarding
from unit.checks.scenes_udp import vanishing


def ruled(first: FilterRule, last: FilterRule, *, end: str = FAR) -> Scene:
    """A lossy connection and one rule."""
    side = FAR if end == FAR else NEAR
    return lossy().having(side, last).seeing(side, (first, last))


def test_rule_whose_counter_grew_with_the_loss_is_a_problem() -> None:
    """500 packets of the 518 that were sent again, on the receiver."""
    finding = found(CHECK, filtered())
    assert (Judgement.PROBLEM, FAR, "inet fw in 10") == (finding.verdict, finding.end, finding.subject)


def test_names_host_rule_and_chain() -> None:
    """Where to look."""
    expected = "a filter rule on root@nas discards packets: numgen random mod 100 < 5 drop (chain inet fw in)"
    assert expected == found(CHECK, filtered()).summary


def test_cost_by_the_rules_share_of_the_loss() -> None:
    """518 of 51795 segments lost, half of them here: 1448 x 8 / 20 ms x 1.2247 / sqrt(0.005) = 10.03 Mbit/s.

    The flow carried 60 Mbit/s, more than the formula grants: the cost is what the ceiling has over that.
    """
    assert 941_482_445 - 60e6 == pytest.approx(found(CHECK, filtered(dropped=259)).costs_bps, rel=1e-6)


def test_cites_the_counter_first() -> None:
    """The rule's own count, then what TCP sent again."""
    finding = found(CHECK, filtered())
    assert ("run nft --json list ruleset", "+500 packets, +750000 bytes") == evidence(finding, "numgen")
    assert ("sockets 5201", "+518 of 51795 segments (1.00%)") == evidence(finding, "retransmits")


def test_remedy_saves_the_chain_and_loads_it_again() -> None:
    """Words made for people are never fed back to nft."""
    (remedy,) = found(CHECK, filtered()).remedies
    assert FAR is remedy.end
    assert (
        "(echo 'flush chain inet fw in'; nft list chain inet fw in) > fullrate-inet-fw-in.rules",
        "nft delete rule inet fw in handle 10",
    ) == remedy.commands
    assert ("nft -f fullrate-inet-fw-in.rules",) == remedy.undo


def test_legacy_rule_is_found_where_iptables_lists_it() -> None:
    """The place names the program: nft does not show the rule."""
    finding = found(CHECK, ruled(legacy(0), legacy(500, size=750_000)))
    assert "(iptables-legacy -t filter, chain INPUT)" in finding.summary
    assert "iptables-legacy filter INPUT 3" == finding.subject


def test_legacy_rule_is_removed_by_its_number() -> None:
    """Legacy iptables has no handles."""
    (remedy,) = found(CHECK, ruled(legacy(0), legacy(500, size=750_000))).remedies
    assert "iptables-legacy -t filter -D INPUT 3" == remedy.commands[-1]


def test_legacy_policy_that_drops_is_set_to_accept() -> None:
    """It is no rule, and it counts."""
    (remedy,) = found(CHECK, ruled(legacy(0, number=0), legacy(500, size=750_000, number=0))).remedies
    assert ("accept", "iptables-legacy -t filter -P INPUT ACCEPT") == (remedy.value, remedy.commands[-1])


def test_legacy_rule_that_moved_is_not_compared_with_the_one_before() -> None:
    """A near miss: somebody added a rule above it in the middle of the trial."""
    other = replace(legacy(0), text="-p tcp --dport 25 -j DROP")
    assert Judgement.UNKNOWN is judged(CHECK, ruled(other, legacy(500, size=750_000)))


def test_merged_packets_count_as_their_segments() -> None:
    """Twelve packets of 64 kB that GRO had merged are the 500 segments lost."""
    scene = ruled(rule(0), rule(12, size=750_000))
    assert Judgement.PROBLEM is judged(CHECK, scene)


def test_senders_own_rule_is_found() -> None:
    """In its output hook."""
    scene = ruled(rule(0, hook="output"), rule(500, size=750_000, hook="output"), end=NEAR)
    assert NEAR is found(CHECK, scene).end


def test_rule_on_the_way_out_is_found_without_retransmits() -> None:
    """TCP takes what its own output discards as congestion: 5,000 of 51,795 segments, none sent again."""
    first, last = rule(0, hook="output"), rule(5000, size=7_500_000, hook="output")
    scene = healthy(60e6).having(NEAR, last).seeing(NEAR, (first, last))
    finding = found(CHECK, scene)
    assert (Judgement.PROBLEM, NEAR) == (finding.verdict, finding.end)


def test_waiting_for_the_timer_is_counted() -> None:
    """Nothing in flight in half of the samples, though data waited: without that 120 Mbit/s in place of 60."""
    before, after = rule(0, hook="output"), rule(500, size=750_000, hook="output")
    scene = path(60e6).seeing(NEAR, flow(60e6, rtt=0.0001, unacknowledged=0, send_queue=140_000))
    scene = scene.having(NEAR, after).seeing(NEAR, (before, after))
    assert 60e6 == pytest.approx(found(CHECK, scene).costs_bps)


def test_rule_on_the_way_in_takes_nothing_that_is_not_sent_again() -> None:
    """A near miss: as many drops at the receiver, and no retransmit: they were somebody else's packets."""
    first, last = rule(0), rule(5000, size=7_500_000)
    assert Judgement.CLEAR is judged(CHECK, healthy(60e6).having(FAR, last).seeing(FAR, (first, last)))


def test_rule_of_a_called_chain_is_found() -> None:
    """A chain without a hook may be called from one the packets pass."""
    assert Judgement.PROBLEM is judged(CHECK, ruled(rule(0, hook=None), rule(500, hook=None)))


def test_rule_that_packets_do_not_pass_is_no_problem() -> None:
    """A near miss: a forward rule that drops as much, of somebody else's traffic."""
    assert Judgement.CLEAR is judged(CHECK, ruled(rule(0, hook="forward"), rule(500, hook="forward")))


def test_rule_that_dropped_little_is_no_problem() -> None:
    """A near miss: 50 packets of a port scan beside 518 lost segments."""
    assert Judgement.CLEAR is judged(CHECK, filtered(dropped=50))


def test_no_loss_is_clear_whatever_the_rule_counts() -> None:
    """It dropped others' packets."""
    scene = healthy(600e6).having(FAR, rule(900)).seeing(FAR, (rule(0), rule(900)))
    assert Judgement.CLEAR is judged(CHECK, scene)


def test_what_the_senders_own_filter_discards_may_be_hidden() -> None:
    """TCP keeps it to itself: that nothing is sent again says nothing of rules that could not be read."""
    scene = healthy(600e6).refusing(NEAR, FilterRule)
    assert (Judgement.UNKNOWN, ["run nft --json list ruleset  (near end: needs root)"]) == (
        judged(CHECK, scene),
        [ask.text for ask in asked(CHECK, scene)],
    )


def test_a_full_link_needs_no_rules() -> None:
    """Whatever they discard, it costs nothing."""
    assert Judgement.CLEAR is judged(CHECK, healthy().refusing(NEAR, FilterRule))


def test_no_loss_is_clear_without_a_ceiling() -> None:
    """Nothing lost needs no link speed."""
    assert Judgement.CLEAR is judged(CHECK, replace(healthy(600e6), speed=None))


def test_rule_without_a_counter_is_unknown() -> None:
    """It asks for one."""
    scene = ruled(rule(None), rule(None))
    assert Judgement.UNKNOWN is judged(CHECK, scene)
    assert ["add a counter on the far end to rule inet fw in 10: numgen random mod 100 < 5 drop"] == [
        ask.text for ask in asked(CHECK, scene)
    ]


def test_ruleset_that_could_not_be_read_is_unknown() -> None:
    """Not root on the far end."""
    scene = lossy().refusing(FAR, FilterRule)
    assert Judgement.UNKNOWN is judged(CHECK, scene)
    assert ["run nft --json list ruleset  (far end: needs root)"] == [ask.text for ask in asked(CHECK, scene)]


def test_counter_that_went_back_is_unknown() -> None:
    """Somebody loaded the rules anew during the trial."""
    scene = change(filtered(), FAR, FilterRule, lambda fact: replace(fact, packets=0))
    assert Judgement.UNKNOWN is judged(CHECK, scene)


def test_policy_that_drops_uncounted_is_unknown() -> None:
    """What no rule accepts vanishes without a count."""
    scene = lossy().having(FAR, FilterChain(subject="inet fw in", hook="input", policy="drop", rules=4))
    assert Judgement.UNKNOWN is judged(CHECK, scene)


def test_policy_of_a_hook_that_is_not_passed_is_clear() -> None:
    """A near miss: container hosts drop forwarded packets by policy."""
    scene = lossy().having(FAR, FilterChain(subject="ip filter FORWARD", hook="forward", policy="drop", rules=4))
    assert Judgement.CLEAR is judged(CHECK, scene)


def test_rule_that_drops_the_datagrams_is_a_problem() -> None:
    """42,000 of the 42,459 that the program misses, of 500 Mbit/s."""
    finding = found(CHECK, discarding())
    assert (Judgement.PROBLEM, FAR, Confidence.HIGH) == (finding.verdict, finding.end, finding.confidence)
    assert 49.46e6 == pytest.approx(finding.costs_bps, rel=1e-3)


def test_rule_that_drops_few_datagrams_is_clear() -> None:
    """A near miss: 8,000 of 42,459; the path lost the others."""
    assert Judgement.CLEAR is judged(CHECK, discarding(8_000))


def test_no_datagram_lost_is_clear() -> None:
    """A near miss: the rule dropped others."""
    scene = discarding()
    assert Judgement.CLEAR is judged(CHECK, replace(scene, engine=replace(scene.engine, lost_ratio=0.0)))  # type: ignore[type-var]


def test_rules_unread_under_a_loss_of_datagrams_are_unknown() -> None:
    """They may have dropped them."""
    assert Judgement.UNKNOWN is judged(CHECK, vanishing().refusing(NEAR, FilterRule))


def test_more_than_the_link_carries_needs_no_rule() -> None:
    """A near miss: the link is full, and one rule does not count."""
    scene = vanishing(1.2e9, lost=0.21, asked=1.2e9).having(FAR, rule(None)).seeing(FAR, (rule(None), rule(None)))
    assert Judgement.CLEAR is judged(CHECK, scene)


def test_rule_behind_a_fifth_of_the_loss_is_a_problem() -> None:
    """110 of 518."""
    assert Judgement.PROBLEM is judged(CHECK, filtered(dropped=110))


def test_beside_a_shaper_it_costs_what_that_would_let_pass() -> None:
    """100 Mbit/s x 1448 / 1514 leave 95.6 of payload; 60 came."""
    first, last = rule(70, size=4200), rule(570, size=754_200)
    scene = shaped(60e6, 100e6).seeing(NEAR, socket(60e6, lost=0.01)).having(FAR, last).seeing(FAR, (first, last))
    assert 95_640_687 - 60e6 == pytest.approx(found(CHECK, scene).costs_bps, abs=1)


def test_cost_of_a_slow_flow_is_by_the_formula() -> None:
    """2000 segments, 20 sent again, 5 of them here: at 0.25 % TCP holds 14.19 Mbit/s over 20 ms."""
    rate = 2000 * 1448 * 8 / 10
    scene = filtered(dropped=5).seeing(NEAR, socket(rate, lost=0.01))
    assert 941_482_445 - 14_187_445 == pytest.approx(found(CHECK, replace(scene, rate=rate)).costs_bps, abs=2)
