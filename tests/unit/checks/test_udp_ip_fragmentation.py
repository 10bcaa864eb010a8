"""Datagrams in fragments."""

import pytest

from fullrate.checks.udp_ip_fragmentation import CHECK
from fullrate.records.facts.net import ProtocolCounters
from fullrate.records.finding import Confidence, Judgement
from unit.checks.build import FAR, NEAR, evidence, found, healthy, judged, on_ipv6
from unit.checks.scenes_tcp import datagrams, fragmented, path, udp


def test_lost_fragments_are_a_problem() -> None:
    """Three fragments each; 5,000 of 100,000 datagrams were never whole again."""
    finding = found(CHECK, fragmented())
    assert (Judgement.PROBLEM, NEAR, Confidence.HIGH) == (finding.verdict, finding.end, finding.confidence)
    assert "each datagram travels in 3.0 fragments; 5.0% could not be put together again" == finding.summary


def test_cost_is_what_could_not_be_put_together() -> None:
    """5 % of 500 Mbit/s."""
    assert 25e6 == pytest.approx(found(CHECK, fragmented()).costs_bps)


def test_fragments_that_all_arrive_are_a_problem_without_a_price() -> None:
    """They would bite with the first loss."""
    finding = found(CHECK, fragmented(failed=0))
    assert (0.0, Confidence.MEDIUM) == (finding.costs_bps, finding.confidence)
    assert "each datagram travels in 3.0 fragments, at no cost here" == finding.summary


def test_cites_both_ends() -> None:
    """What one made, what the other missed."""
    finding = found(CHECK, fragmented())
    assert ("ProtocolCounters", "+300000") == evidence(finding, "IpFragCreates")
    assert ("ProtocolCounters", "+5000") == evidence(finding, "IpReasmFails")


def test_ipv6_has_counters_of_its_own() -> None:
    """The sender alone may make fragments there."""
    scene = udp(healthy(500e6)).seeing(NEAR, datagrams("snmp6", UdpOutDatagrams=1000, IpFragCreates=3000))
    finding = found(CHECK, on_ipv6(scene.seeing(FAR, datagrams("snmp6", UdpInDatagrams=1000))))
    assert ("ProtocolCounters", "+3000") == evidence(finding, "Ip6FragCreates")


@pytest.mark.parametrize(("made", "verdict"), [(49_000, Judgement.CLEAR), (51_000, Judgement.PROBLEM)])
def test_some_fragments_are_others(made: int, verdict: Judgement) -> None:
    """A near miss: fewer than one for two datagrams."""
    assert verdict is judged(CHECK, fragmented(made))


def test_failures_without_own_fragments_are_clear() -> None:
    """A near miss: somebody else's fragments are lost."""
    assert Judgement.CLEAR is judged(CHECK, fragmented(made=0))


@pytest.mark.parametrize("end", [NEAR, FAR])
def test_counters_that_were_not_read_are_unknown(end: object) -> None:
    """Both ends are needed for a problem."""
    scene = fragmented().lacking(end, ProtocolCounters, "before", "after")  # type: ignore[arg-type]
    assert Judgement.UNKNOWN is judged(CHECK, scene)


def test_nothing_sent_by_udp_is_unknown() -> None:
    """A share of nothing."""
    assert Judgement.UNKNOWN is judged(CHECK, udp(healthy(500e6)).seeing(NEAR, datagrams()))


def test_tcp_alone_does_not_apply() -> None:
    """No UDP was sent."""
    assert Judgement.NOT_APPLICABLE is judged(CHECK, path())
