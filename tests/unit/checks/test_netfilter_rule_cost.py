"""Filter rules that take a CPU."""

import pytest

from fullrate.checks.cpu_bound_host import CHECK as CPU_BOUND
from fullrate.checks.netfilter_rule_cost import CHECK
from fullrate.checks.softirq_single_cpu import CHECK as ONE_CPU
from fullrate.records.facts.cpu import Softnet
from fullrate.records.facts.net import FilterChain, FilterRuleset, ProtocolCounters
from fullrate.records.finding import Confidence, Judgement
from unit.checks.build import CEILING, FAR, NEAR, Scene, evidence, found, judged, on_ipv6
from unit.checks.cpu_pairs import core, ordinary
from unit.checks.scenes_cpu import softirq_bound, walled


def sending(packets: int, *, table: str = "snmp", name: str = "IpOutRequests") -> Scene:
    """A sender whose CPU is full, with 10,000 rules on its way out and so many packets that took it."""
    before, after = (ProtocolCounters(subject=table, counters={name: count}) for count in (100, 100 + packets))
    return walled(NEAR, hook="output").seeing(NEAR, (before, after))


def test_long_list_on_a_full_cpu_is_a_problem() -> None:
    """9,900 packets a second pass 10,000 rules each: 0.4 of a fast CPU."""
    finding = found(CHECK, walled())
    assert (Judgement.PROBLEM, FAR, "inet filter input") == (finding.verdict, finding.end, finding.subject)
    assert "10,000 filter rules" in finding.summary


def test_it_is_never_certain() -> None:
    """What a rule takes is known from another machine."""
    assert Confidence.MEDIUM is found(CHECK, walled()).confidence


def test_cost_is_what_the_cpu_could_carry_without_them() -> None:
    """At 8.7 ns each 5,100 of them take 0.439 of it; without 10,000 it would carry more than the link."""
    assert pytest.approx(CEILING - 500e6) == found(CHECK, walled()).costs_bps
    assert pytest.approx(500e6 / (0.98 * (1 - 0.439263)) - 500e6) == found(CHECK, walled(rules=5100)).costs_bps


def test_cites_chain_packets_and_cpu() -> None:
    """All three signs."""
    finding = found(CHECK, walled())
    assert "10000" == evidence(finding, "chain inet filter input, rules")[1]
    assert "+99000" == evidence(finding, "received packets that CPU 0 handled")[1]
    assert evidence(finding, "CPU 0 busy")[1].startswith("98%")


@pytest.mark.parametrize(("rules", "expected"), [(5050, Judgement.CLEAR), (5051, Judgement.PROBLEM)])
def test_a_fifth_of_a_fast_cpu_is_the_bar(rules: int, expected: Judgement) -> None:
    """9,900 packets a second at 4 ns a rule: the near miss costs 19.998 % of it."""
    assert expected is judged(CHECK, walled(rules=rules))


def test_cpu_with_room_is_clear() -> None:
    """The rules take time that nobody misses."""
    assert Judgement.CLEAR is judged(CHECK, walled().seeing(FAR, core(0, softirq=0.7)))


@pytest.mark.parametrize("scene", [walled(kind="nat"), walled(hook="forward"), walled(hook="output")])
def test_rules_that_packets_do_not_pass_are_clear(scene: Scene) -> None:
    """A connection's first alone passes nat (nft(8), CHAINS); the receiver forwards nothing and sends little."""
    assert Judgement.CLEAR is judged(CHECK, scene)


def test_rules_of_another_protocol_are_clear() -> None:
    """IPv6 packets pass none of the table ip."""
    chain = FilterChain(subject="ip filter input", hook="input", policy="accept", rules=10_000, kind="filter")
    scene = softirq_bound().having(FAR, chain)
    assert (Judgement.PROBLEM, Judgement.CLEAR) == (judged(CHECK, scene), judged(CHECK, on_ipv6(scene)))


def test_senders_way_out_counts() -> None:
    """8,000 packets a second, each a superframe or a segment."""
    assert (Judgement.PROBLEM, Judgement.CLEAR) == (judged(CHECK, sending(80_000)), judged(CHECK, sending(40_000)))


def test_ipv6_counts_its_own_packets() -> None:
    """Ip6OutRequests of snmp6."""
    scene = on_ipv6(sending(80_000, table="snmp6", name="Ip6OutRequests"))
    assert Judgement.PROBLEM is judged(CHECK, scene)


def test_uncounted_packets_are_unknown() -> None:
    """Neither way."""
    assert Judgement.UNKNOWN is judged(CHECK, walled().lacking(FAR, Softnet, "before"))
    assert Judgement.UNKNOWN is judged(CHECK, sending(80_000).lacking(NEAR, ProtocolCounters, "before"))


def test_unread_rules_are_unknown() -> None:
    """A full CPU, and nobody knows what it walks."""
    assert Judgement.UNKNOWN is judged(CHECK, softirq_bound().refusing(FAR, FilterRuleset))


def test_chains_that_were_only_counted_are_unknown() -> None:
    """One of two is not seen."""
    scene = walled(rules=5).having(FAR, FilterRuleset(subject="nft", chains=2))
    assert Judgement.UNKNOWN is judged(CHECK, scene)


def test_full_cpu_without_rules_is_clear() -> None:
    """Something else fills it."""
    assert Judgement.CLEAR is judged(CHECK, softirq_bound())


def test_general_causes_yield() -> None:
    """The place of the work and the CPU itself are not to blame."""
    assert (Judgement.CLEAR, Judgement.CLEAR) == (judged(CPU_BOUND, walled()), judged(ONE_CPU, walled()))


def test_free_cpus_are_clear() -> None:
    """An ordinary job."""
    assert Judgement.CLEAR is judged(CHECK, ordinary())
