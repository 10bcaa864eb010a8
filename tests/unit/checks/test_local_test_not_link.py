"""A test within one host."""

from dataclasses import replace

import pytest

from fullrate.checks.local_test_not_link import CHECK
from fullrate.records.facts.link import Route
from fullrate.records.facts.net import HostIdentity
from fullrate.records.finding import Confidence, Judgement
from unit.checks.build import FAR, NEAR, evidence, found, healthy, judged, on_loopback, untested
from unit.checks.scenes_tcp import routed


def test_own_address_is_a_problem() -> None:
    """The kernel calls it local."""
    finding = found(CHECK, routed("local"))
    assert (Judgement.PROBLEM, "10.0.0.2", Confidence.HIGH) == (finding.verdict, finding.subject, finding.confidence)
    assert "10.0.0.2 is an address of the near end itself: the test crosses no link" == finding.summary


def test_loopback_is_a_problem() -> None:
    """Without a look at routes."""
    assert Judgement.PROBLEM is judged(CHECK, on_loopback(healthy()))


def test_costs_nothing() -> None:
    """There is no link to miss a rate of."""
    assert 0.0 == found(CHECK, routed("local")).costs_bps


def test_cites_the_route() -> None:
    """Kind and link."""
    assert ("Route", "local dev enp1s0") == evidence(found(CHECK, routed("local")), "route to 10.0.0.2")


def test_route_through_a_link_is_clear() -> None:
    """Named by what it leaves by."""
    assert "the test leaves the near end by enp1s0" == found(CHECK, routed()).summary


def test_two_namespaces_of_one_kernel_are_two_hosts() -> None:
    """A near miss: the same boot_id."""
    scene = routed().having(FAR, HostIdentity(boot_id="boot-a"))
    assert Judgement.CLEAR is judged(CHECK, scene)


def test_no_trial_is_needed() -> None:
    """The route tells before anything is sent."""
    assert Judgement.PROBLEM is judged(CHECK, untested(routed("local")))


@pytest.mark.parametrize(
    "scene",
    [routed().lacking(NEAR, Route, "facts"), replace(routed(), far=replace(routed().far, address=None))],
    ids=["route", "address"],
)
def test_missing_route_or_address_is_unknown(scene: object) -> None:
    """Both are needed."""
    assert Judgement.UNKNOWN is judged(CHECK, scene)  # type: ignore[arg-type]


def test_route_to_another_address_does_not_count() -> None:
    """The host has many routes."""
    other = Route(subject="10.0.0.9", ifname="lo", kind="local")
    assert Judgement.CLEAR is judged(CHECK, routed().having(NEAR, other))
