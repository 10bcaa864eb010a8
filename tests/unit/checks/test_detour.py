"""The link in use and a better one, as listings show them."""

from dataclasses import replace

import pytest

from fullrate.records.ends import End
from fullrate.records.facts.base import Fact
from fullrate.records.facts.ethtool import LinkMode
from fullrate.records.facts.link import Address, Route
from fullrate.records.facts.wifi import WifiLink
from fullrate.records.finding import Confidence
from unit.checks.glancing import CHECKS, seen

PEER, OWN = "192.168.1.20", "192.168.1.77"
BY_RADIO = Route(subject=PEER, ifname="wlp3s0", source=OWN)


def route(link: str, network: str = "192.168.1.0/24", gateway: str | None = None) -> Route:
    """A row of the table."""
    return Route(subject=network, ifname=link, gateway=gateway)


def address(link: str, one: str, length: int = 24) -> Address:
    """A row of the listing."""
    return Address(subject=link, family="inet", address=one, prefix_length=length, scope="global")


def speed(link: str, bits: float) -> LinkMode:
    """How fast a link runs."""
    return LinkMode(subject=link, speed=bits, link_detected=True)


def suspected(*facts: Fact, peer: str | None = PEER, own: str | None = OWN) -> Confidence | None:
    """How sure the glance is."""
    view = seen(facts, link="enp1s0")
    far, here = replace(view.ends[End.FAR], address=peer), replace(view.here, address=own)
    look = CHECKS["route-wrong-interface"].glance
    assert look is not None
    found = look(replace(view, ends={End.NEAR: here, End.FAR: far}, examined=here))
    return None if found is None else found.confidence


@pytest.mark.parametrize(
    "facts",
    [
        [BY_RADIO, route("wlp3s0"), route("enp1s0")],
        [BY_RADIO, address("enp1s0", "192.168.1.78")],
        [address("wlan0", OWN), address("eth0", "192.168.1.78")],
        [replace(route("wlan0"), source=OWN), route("eth0")],
        [replace(BY_RADIO, ifname="lan1"), route("lan0"), speed("lan0", 1e10), speed("lan1", 1e9)],
        [replace(BY_RADIO, ifname="radio"), WifiLink(subject="radio"), route("enp1s0")],
        [
            replace(BY_RADIO, gateway="192.168.7.1"),
            route("wlp3s0", "default", "192.168.7.1"),
            route("enp1s0", "default", "192.168.7.1"),
        ],
    ],
)
def test_a_better_link_to_the_same_partner(facts: list[Fact]) -> None:
    """A wire instead of a radio, a faster wire; by the route asked for, an address, a row of the table."""
    assert Confidence.MEDIUM is suspected(*facts)


@pytest.mark.parametrize(
    "facts",
    [
        [BY_RADIO, route("wlp3s0")],
        [BY_RADIO, route("enp1s0", "192.168.2.0/24")],
        [BY_RADIO, route("docker0")],
        [BY_RADIO, route("enp1s0"), LinkMode(subject="enp1s0", speed=None, link_detected=False)],
        [replace(BY_RADIO, ifname="enp1s0"), route("wlp3s0"), route("enp1s0")],
        [replace(BY_RADIO, ifname="enp2s0"), route("enp1s0")],
        [replace(BY_RADIO, ifname="enp2s0"), route("enp1s0"), speed("enp1s0", 1e9), speed("enp2s0", 1e10)],
        [BY_RADIO, route("wlp3s0"), route("enp1s0", "default", "192.168.1.1")],
    ],
)
def test_near_misses(facts: list[Fact]) -> None:
    """Another network, no wire, one without a carrier, the better one in use."""
    assert suspected(*facts) is None


def test_the_way_that_was_asked_for_names_the_partner() -> None:
    """Without any test."""
    assert Confidence.MEDIUM is suspected(BY_RADIO, route("enp1s0"), peer=None, own=None)


def test_of_two_ways_one_is_used() -> None:
    """Nobody knows which one: a weak suspicion."""
    assert Confidence.LOW is suspected(route("wlp3s0"), route("enp1s0"))
