"""Datagrams in fragments."""

import pytest

from fullrate.checks.udp_ip_fragmentation import CHECK
from fullrate.records.facts.net import ProtocolCounters
from fullrate.records.finding import Confidence, Judgement
from unit.checks.build import FAR, NEAR, Scene, evidence, found, healthy, judged, on_ipv6
from unit.checks.scenes_tcp import datagrams, path, udp
from unit.checks.scenes_udp import fragmented


def test_torn_datagrams_are_a_problem() -> None:
    """Three fragments each, and 90,000 of 100,000 datagrams were whole."""
    finding = found(CHECK, fragmented())
    assert (Judgement.PROBLEM, NEAR, Confidence.HIGH) == (finding.verdict, finding.end, finding.confidence)
    assert "each datagram travels in 3.0 fragments; 10.0% could not be put together again" == finding.summary


def test_cost_of_a_loss_of_all_kinds_is_what_fragments_add() -> None:
    """Two thirds of the 50 Mbit/s lost: in one packet each, a third as many would be."""
    assert 100e6 / 3 == pytest.approx(found(CHECK, fragmented()).costs_bps)


def test_cost_where_fragments_are_dropped_is_the_whole_loss() -> None:
    """The first of three comes, the others never do: nothing is ever whole."""
    assert 500e6 == pytest.approx(found(CHECK, fragmented(came=100_000, whole=0, lost=1.0)).costs_bps)


def test_no_fragment_at_all_is_the_same() -> None:
    """Somebody drops them all, the first ones too."""
    assert 500e6 == pytest.approx(found(CHECK, fragmented(came=0, whole=0, lost=1.0)).costs_bps)


@pytest.mark.parametrize("scene", [fragmented(whole=100_000, lost=0.0), fragmented(whole=96_000, lost=0.04)])
def test_fragments_that_arrive_are_a_problem_without_a_price(scene: Scene) -> None:
    """They would bite with the next loss; some of the last are still on their way."""
    finding = found(CHECK, scene)
    assert (0.0, Confidence.MEDIUM) == (finding.costs_bps, finding.confidence)
    assert "each datagram travels in 3.0 fragments, at no cost here" == finding.summary


def test_cites_both_ends() -> None:
    """What one made, what the other got and put together."""
    finding = found(CHECK, fragmented())
    assert ("ProtocolCounters", "+300000") == evidence(finding, "IpFragCreates")
    assert ("ProtocolCounters", "+90000") == evidence(finding, "IpReasmOKs")


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
