"""Neighbours with different MTUs."""

from dataclasses import replace

import pytest

from fullrate.checks.mtu_mismatch import CHECK
from fullrate.records.facts.link import Link, Route
from fullrate.records.finding import Confidence, Judgement
from unit.checks.build import FAR, NEAR, evidence, found, judged, on_loopback, untested
from unit.checks.scenes_tcp import jumbo, routed


def test_neighbours_that_differ_are_a_problem_without_a_price() -> None:
    """TCP agrees on the smaller size."""
    finding = found(CHECK, jumbo())
    assert (Judgement.PROBLEM, FAR, "enp3s0") == (finding.verdict, finding.end, finding.subject)
    assert (0.0, Confidence.MEDIUM) == (finding.costs_bps, finding.confidence)


def test_cites_both_sizes_and_the_route() -> None:
    """Near 1500, far 9000, nobody between."""
    finding = found(CHECK, jumbo())
    assert ("Link", "1500") == evidence(finding, "MTU of enp1s0")
    assert ("Link", "9000") == evidence(finding, "MTU of enp3s0")
    assert ("Route", "none") == evidence(finding, "gateway")


def test_remedy_lowers_the_larger_and_restores_it() -> None:
    """At the far end."""
    (remedy,) = found(CHECK, jumbo()).remedies
    assert (FAR, ("ip link set dev enp3s0 mtu 1500",)) == (remedy.end, remedy.commands)
    assert ("ip link set dev enp3s0 mtu 9000",) == remedy.undo


def test_near_end_may_be_the_larger() -> None:
    """The same the other way round."""
    scene = routed().having(NEAR, Link(subject="enp1s0", ifindex=3, mtu=9000, operstate="UP"))
    assert (NEAR, "enp1s0") == (found(CHECK, scene).end, found(CHECK, scene).subject)


def test_router_between_is_clear() -> None:
    """A near miss: path MTU discovery takes care."""
    assert Judgement.CLEAR is judged(CHECK, jumbo("10.0.0.254"))


def test_same_size_is_clear() -> None:
    """Whatever the route."""
    assert Judgement.CLEAR is judged(CHECK, routed().lacking(NEAR, Route, "facts"))


def test_no_trial_is_needed() -> None:
    """It is a setting."""
    assert Judgement.PROBLEM is judged(CHECK, untested(jumbo()))


@pytest.mark.parametrize(
    "scene",
    [
        jumbo().lacking(NEAR, Route, "facts"),
        jumbo().lacking(FAR, Link, "facts"),
        replace(jumbo(), far=replace(jumbo().far, address=None)),
    ],
    ids=["route", "link", "address"],
)
def test_missing_evidence_is_unknown(scene: object) -> None:
    """Whether they are neighbours, and what they carry."""
    assert Judgement.UNKNOWN is judged(CHECK, scene)  # type: ignore[arg-type]


def test_loopback_does_not_apply() -> None:
    """One host has one MTU there."""
    assert Judgement.NOT_APPLICABLE is judged(CHECK, on_loopback(jumbo()))
