"""The settings of one wire, as they are compared."""

import pytest

from fake_guest import FakeGuest
from fullrate.lab.guest.places import opened
from fullrate.lab.guest.readings import read
from fullrate.lab.guest.wiring import wires


def _keys() -> list[str]:
    guest = FakeGuest()
    with opened(guest.host(), guest.boot(), guest.end) as places:
        return [reading.key for reading in read(places, wires(("igb",))[0])]


@pytest.mark.parametrize(
    "key",
    [
        "near: run ethtool -k igb",
        "far: run ethtool -g igb",
        "far: run ethtool -x igb",
        "far: run tc qdisc",
        "far: run nft list ruleset",
        "router: run ip netns exec fullrate-guest tc filter show dev t1a ingress",
        "near: run find /proc/irq -name smp_affinity_list -exec grep -H . '{}' +",
    ],
)
def test_what_faults_change_is_read(key: str) -> None:
    """At the end, at the wire, and of the whole guest."""
    assert key in _keys()


def test_each_is_told_apart() -> None:
    """The same question at two places has two keys."""
    assert len(set(_keys())) == len(_keys())
