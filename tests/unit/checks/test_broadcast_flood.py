"""Broadcasts of others."""

from dataclasses import replace

import pytest

from fullrate.checks.broadcast_flood import CHECK
from fullrate.records.facts.net import ProtocolCounters
from fullrate.records.finding import Confidence, Judgement
from unit.checks.build import FAR, evidence, found, judged, on_loopback
from unit.checks.scenes_tcp import flooded, netstat, udp


def test_flood_at_rest_and_during_the_test_is_a_problem() -> None:
    """200 Mbit/s of broadcasts."""
    finding = found(CHECK, flooded())
    assert (Judgement.PROBLEM, FAR, "enp3s0") == (finding.verdict, finding.end, finding.subject)
    assert "broadcasts and multicasts take 21% of the link to root@nas" == finding.summary
    assert Confidence.HIGH is finding.confidence


def test_cost_is_what_they_took() -> None:
    """As the kernel counted them."""
    assert 200e6 == pytest.approx(found(CHECK, flooded()).costs_bps)


def test_cites_both_stretches() -> None:
    """At rest, then during the test."""
    finding = found(CHECK, flooded())
    assert ("arithmetic", "200000000") == evidence(finding, "broadcast and multicast in trial t0")
    assert ("arithmetic", "200000000") == evidence(finding, "broadcast and multicast in trial t1")


def test_multicasts_count_too() -> None:
    """Video to everyone."""
    scene = flooded(0.0).seeing(FAR, netstat(IpExtInMcastOctets=125_000_000))
    assert Judgement.PROBLEM is judged(CHECK, scene.resting(FAR, netstat(IpExtInMcastOctets=12_500_000)))


@pytest.mark.parametrize(("rest", "during"), [(25_000_000, 0), (0, 250_000_000)])
def test_flood_in_one_stretch_only_is_clear(rest: int, during: int) -> None:
    """A near miss: a passing burst."""
    scene = flooded(0.0).seeing(FAR, netstat(IpExtInBcastOctets=during))
    assert Judgement.CLEAR is judged(CHECK, scene.resting(FAR, netstat(IpExtInBcastOctets=rest)))


@pytest.mark.parametrize(("rate", "verdict"), [(27e6, Judgement.CLEAR), (29e6, Judgement.PROBLEM)])
def test_three_percent_matter(rate: float, verdict: Judgement) -> None:
    """Of 941 Mbit/s."""
    assert verdict is judged(CHECK, flooded(rate))


def test_full_link_is_clear() -> None:
    """The test got all of it."""
    assert Judgement.CLEAR is judged(CHECK, replace(flooded(), rate=941e6))


def test_udp_is_judged_alike() -> None:
    """The link does not care."""
    assert Judgement.PROBLEM is judged(CHECK, udp(flooded()))


def test_look_at_rest_is_needed() -> None:
    """Without it the flood may be the test's own."""
    assert Judgement.UNKNOWN is judged(CHECK, replace(flooded(), looked=False))


def test_counters_that_were_not_read_are_unknown() -> None:
    """None is not zero."""
    assert Judgement.UNKNOWN is judged(CHECK, flooded().lacking(FAR, ProtocolCounters, "idle_before", "idle_after"))


def test_loopback_does_not_apply() -> None:
    """Nobody else sends there."""
    assert Judgement.NOT_APPLICABLE is judged(CHECK, on_loopback(flooded()))
