"""Traffic that passes by another link."""

from dataclasses import replace

import pytest

from fullrate.checks.route_wrong_interface import CHECK
from fullrate.records.facts.link import LinkCounters
from fullrate.records.finding import Confidence, Judgement
from unit.checks.build import CEILING, FAR, NEAR, evidence, found, judged, on_loopback
from unit.checks.pairs import counters
from unit.checks.scenes_tcp import detour, path


@pytest.mark.parametrize(("end", "link"), [(NEAR, "enp9s0"), (FAR, "enp8s0")])
def test_other_link_that_carried_the_test_is_a_problem(end: object, link: str) -> None:
    """At either end."""
    finding = found(CHECK, detour(end))  # type: ignore[arg-type]
    assert (Judgement.PROBLEM, end, link) == (finding.verdict, finding.end, finding.subject)
    assert Confidence.HIGH is finding.confidence


def test_says_by_which_link() -> None:
    """And by which it should."""
    assert "the test passes this host by enp9s0, not by enp1s0" == found(CHECK, detour()).summary


def test_cost_is_what_the_slower_link_carries_less() -> None:
    """100 Mbit/s x 1448 / 1538 = 94.15 Mbit/s of payload."""
    assert CEILING - 94_148_244 == pytest.approx(found(CHECK, detour()).costs_bps, abs=1)


@pytest.mark.parametrize("speed", [None, 10e9])
def test_cost_is_nothing_where_the_other_link_is_no_limit(speed: float | None) -> None:
    """Its speed is not known, or higher."""
    assert 0.0 == found(CHECK, detour(speed=speed)).costs_bps


def test_cites_both_counters() -> None:
    """90 Mbit/s for 10 s with headers, and nothing."""
    finding = found(CHECK, detour())
    assert ("read /proc/net/dev", "+117627738") == evidence(finding, "enp9s0, bytes")
    assert ("read /proc/net/dev", "+0") == evidence(finding, "enp1s0, bytes")


def test_link_under_test_that_carries_it_is_clear() -> None:
    """A near miss: another link is busy as well."""
    assert Judgement.CLEAR is judged(CHECK, path(90e6).seeing(NEAR, counters("enp9s0", tx=900e6)))


def test_members_below_the_link_under_test_are_clear() -> None:
    """A near miss: the packets of a bond are counted on its member too."""
    assert Judgement.CLEAR is judged(CHECK, path(90e6).seeing(NEAR, counters("eth0", tx=90e6)))


def test_loopback_is_no_other_link() -> None:
    """A near miss: local traffic of the host; the link's own counters are stuck."""
    scene = path(90e6).seeing(NEAR, counters("enp1s0"), counters("lo", tx=900e6))
    assert Judgement.UNKNOWN is judged(CHECK, scene)


def test_no_link_that_counted_it_is_unknown() -> None:
    """Hardware may pass packets that no counter sees."""
    assert Judgement.UNKNOWN is judged(CHECK, path(90e6).seeing(FAR, counters("enp3s0")))


@pytest.mark.parametrize("end", [NEAR, FAR])
def test_counters_that_were_not_read_are_unknown(end: object) -> None:
    """They decide."""
    scene = path().lacking(end, LinkCounters, "before", "after")  # type: ignore[arg-type]
    assert Judgement.UNKNOWN is judged(CHECK, scene)


@pytest.mark.parametrize("scene", [on_loopback(detour()), replace(detour(), protocol="udp")], ids=["loopback", "udp"])
def test_without_a_link_of_tcp_it_does_not_apply(scene: object) -> None:
    """Nothing was carried."""
    assert Judgement.NOT_APPLICABLE is judged(CHECK, scene)  # type: ignore[arg-type]
