"""Which link carries a test."""

from dataclasses import replace

import pytest

from fullrate.records.carrier import carrier, passed, routed
from fullrate.records.facts.base import Fact
from fullrate.records.facts.link import Link, LinkCounters, Route
from fullrate.records.snapshot import Delta
from fullrate.records.view import WindowView
from unit.checks.pairs import Pair, counters
from unit.diagnose.making import FAR, NEAR, end_view, link, trial, window

RATE = 500e6


def carried(*pairs: Pair, links: tuple[Link, ...] = (), sends: bool = True) -> str | None:
    """The link that carried 500 Mbit/s of an end whose link under test is eth0."""
    end = end_view(NEAR, *links)
    return carrier(WindowView(trial=trial(windows={NEAR: window(*pairs)}), end=end), RATE, sends=sends)


def test_the_link_under_test_carried_it() -> None:
    """However much another one carried besides."""
    expected = "eth0"
    assert expected == carried(counters("eth0", tx=RATE), counters("eth1", tx=9 * RATE))


def test_another_link_carried_it() -> None:
    """The one under test counted next to nothing."""
    expected = "eth1"
    assert expected == carried(counters("eth0", tx=1e6), counters("eth1", tx=RATE))


def test_half_of_it_is_enough() -> None:
    """Offloads may leave bytes uncounted; a near miss is a bond that spreads flows."""
    expected = "eth0"
    assert expected == carried(counters("eth0", tx=0.51 * RATE), counters("eth1", tx=RATE))


def test_the_direction_decides_which_counter() -> None:
    """What a link received is nothing sent."""
    pairs = counters("eth0", rx=RATE), counters("eth1", tx=RATE)
    assert ("eth1", "eth0") == tuple(carried(*pairs, sends=sends) for sends in (True, False))


@pytest.mark.parametrize(
    "links",
    [(link("bond0"), link("eth1", master="bond0")), (link("bond0", lower="eth1"), link("eth1"))],
    ids=["member of a bond", "below a vlan"],
)
def test_the_upper_of_two_stacked_links(links: tuple[Link, ...]) -> None:
    """Both count every packet; the member even some more."""
    expected = "bond0"
    pairs = counters("eth0"), counters("bond0", tx=RATE), counters("eth1", tx=1.1 * RATE)
    assert expected == carried(*pairs, links=links)


def test_loopback_is_no_link() -> None:
    """Nothing leaves by it."""
    assert None is carried(counters("eth0"), counters("lo", tx=RATE))


def test_no_link_carried_it() -> None:
    """Packets may pass where no counter sees them."""
    assert None is carried(counters("eth0"), counters("eth1"))


def test_a_counter_that_went_back_tells_nothing() -> None:
    """The link was made anew."""
    before, after = counters("eth0", tx=RATE)
    assert isinstance(before, LinkCounters)
    assert isinstance(after, LinkCounters)
    assert None is passed(Delta(before=after, after=before, seconds=10.0, source=""), sends=True)
    assert None is carried((replace(before, tx_bytes=10**12), after))


def way(*facts: Fact) -> str | None:
    """By which link the far end would send to 192.0.2.4."""
    route = routed(end_view(FAR, *facts), "192.0.2.4")
    return None if route is None else route.ifname


def test_a_route_leads_by_its_link() -> None:
    """The newest one to that address."""
    old, new = (Route(subject="192.0.2.4", ifname=name) for name in ("eth0", "eth1"))
    assert new.ifname == way(old, new, Route(subject="192.0.2.9", ifname="eth9"))


@pytest.mark.parametrize("kind", ["local", "unreachable"])
def test_a_route_that_leads_nowhere(kind: str) -> None:
    """It is no link's."""
    assert None is way(Route(subject="192.0.2.4", ifname="lo", kind=kind))


def test_without_a_route_nothing_is_told() -> None:
    """Nor without an address."""
    assert None is way()
    assert None is routed(end_view(FAR), None)
