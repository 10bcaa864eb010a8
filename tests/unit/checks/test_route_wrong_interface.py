"""Traffic that passes by another link."""

from dataclasses import replace

import pytest

from fullrate.checks.route_wrong_interface import CHECK
from fullrate.records.facts.link import LinkCounters, Route
from fullrate.records.finding import Confidence, Judgement
from fullrate.records.trial import EngineFailure
from unit.checks.build import CEILING, FAR, NEAR, asked, attempt, evidence, found, judged, on_loopback, untested
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


def test_cites_the_routing_of_the_end_that_detours() -> None:
    """It says why."""
    scene = detour().having(NEAR, Route(subject="10.0.0.2", ifname="enp9s0"))
    assert ("Route", "dev enp9s0") == evidence(found(CHECK, scene), "route to 10.0.0.2")


BY_ANOTHER = Route(subject="10.0.0.2", ifname="enp9s0")


def test_routing_by_another_link_is_a_problem_when_no_counter_tells() -> None:
    """One sign, so it is less sure; what it costs is not known."""
    finding = found(CHECK, path().having(NEAR, BY_ANOTHER).seeing(NEAR, counters("enp1s0")))
    expected = "this host sends to the other end by enp9s0, not by enp1s0"
    assert (Judgement.PROBLEM, "enp9s0", expected) == (finding.verdict, finding.subject, finding.summary)
    assert (Confidence.MEDIUM, 0.0) == (finding.confidence, finding.costs_bps)


def test_routing_by_another_link_is_a_problem_after_a_test_that_failed() -> None:
    """The link under test may not reach the other end at all."""
    scene = untested(path().having(NEAR, BY_ANOTHER), attempt(EngineFailure.UNREACHABLE))
    assert Judgement.PROBLEM is judged(CHECK, scene)


def test_a_test_is_asked_for_before_the_routing_is_believed() -> None:
    """It decides."""
    scene = untested(path().having(NEAR, BY_ANOTHER))
    assert (Judgement.UNKNOWN, 1) == (judged(CHECK, scene), len(asked(CHECK, scene)))


@pytest.mark.parametrize(
    "route",
    [
        pytest.param(replace(BY_ANOTHER, ifname="enp1s0"), id="by the link under test"),
        pytest.param(replace(BY_ANOTHER, kind="unreachable"), id="nowhere"),
        pytest.param(replace(BY_ANOTHER, subject="10.0.0.9"), id="to another host"),
    ],
)
def test_routing_that_says_nothing_of_another_link(route: Route) -> None:
    """A near miss each: what the counters left open stays so."""
    scene = path().having(NEAR, route).seeing(NEAR, counters("enp1s0"))
    assert Judgement.UNKNOWN is judged(CHECK, scene)


def test_counters_outrank_the_routing() -> None:
    """A near miss: a rule by port or mark sends the test by the link under test all the same."""
    assert Judgement.CLEAR is judged(CHECK, path().having(NEAR, BY_ANOTHER))


@pytest.mark.parametrize("end", [NEAR, FAR])
def test_counters_that_were_not_read_are_unknown(end: object) -> None:
    """They decide."""
    scene = path().lacking(end, LinkCounters, "before", "after")  # type: ignore[arg-type]
    assert Judgement.UNKNOWN is judged(CHECK, scene)


@pytest.mark.parametrize("scene", [on_loopback(detour()), replace(detour(), protocol="udp")], ids=["loopback", "udp"])
def test_without_a_link_of_tcp_it_does_not_apply(scene: object) -> None:
    """Nothing was carried."""
    assert Judgement.NOT_APPLICABLE is judged(CHECK, scene)  # type: ignore[arg-type]
