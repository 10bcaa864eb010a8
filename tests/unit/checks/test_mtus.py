"""Two ends' MTUs as somebody showed them."""

from dataclasses import replace

import pytest

from fullrate.records.ends import End
from fullrate.records.facts.base import Fact
from fullrate.records.facts.link import Link, Route
from fullrate.records.facts.net import EchoProbe
from fullrate.records.finding import Confidence
from unit.checks.glancing import CHECKS, seen

LOST = EchoProbe(subject="192.0.2.2 8972", sent=3, received=0, size=8972)


def link(name: str, mtu: int) -> Link:
    """One that `ip link` shows."""
    return Link(subject=name, ifindex=2, mtu=mtu, operstate="UP")


def suspected(near: list[Fact], far: list[Fact]) -> Confidence | None:
    """How sure the glance is."""
    here = replace(seen(near).here, address="192.0.2.1")
    there = replace(seen(far).here, end=End.FAR, interface=None, address="192.0.2.2")
    look = CHECKS["mtu-mismatch"].glance
    assert look is not None
    found = look(replace(seen(near), ends={End.NEAR: here, End.FAR: there}, examined=here))
    return None if found is None else found.confidence


def test_two_that_differ() -> None:
    """Whether they are neighbours nobody says."""
    assert Confidence.LOW is suspected([link("eth0", 9000)], [link("enp5s0", 1500)])


def test_echoes_that_fit_only_the_larger_make_it_surer() -> None:
    """They vanished without a word."""
    assert Confidence.MEDIUM is suspected([link("eth0", 9000), LOST], [link("enp5s0", 1500)])


@pytest.mark.parametrize(
    ("near", "far"),
    [
        ([link("eth0", 1500)], [link("enp5s0", 1500)]),
        ([link("eth0", 9000)], []),
        ([link("eth0", 9000)], [link("enp5s0", 1500), link("docker0", 1400)]),
        ([link("eth0", 9000), Route(subject="192.0.2.2", ifname="eth0", gateway="192.0.2.254")], [link("eth0", 1500)]),
    ],
)
def test_near_misses(near: list[Fact], far: list[Fact]) -> None:
    """The same size, one end alone, several links of which nobody says which one it is, a router between."""
    assert suspected(near, far) is None
