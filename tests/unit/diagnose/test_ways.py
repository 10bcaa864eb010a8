"""Which links each direction takes, and which others join the hosts."""

from dataclasses import replace

import pytest

from fullrate.diagnose.ways import alternatives, taken, way
from fullrate.records.ends import Direction, End
from fullrate.records.facts.base import Fact
from fullrate.records.facts.ethtool import LinkMode
from fullrate.records.facts.link import Address, Route
from fullrate.records.run import Way
from fullrate.records.trial import Trial
from fullrate.records.view import View
from unit.checks.pairs import Pair, counters
from unit.diagnose.making import BACK, FAR, NEAR, OUT, end_view, link, trial, view, window

RATE = 500e6
NEAR_ADDRESS, FAR_ADDRESS = "192.0.2.4", "192.0.2.3"  # making.end_view's
HOME = Route(subject=NEAR_ADDRESS, ifname="eth1")


def links(found: View) -> tuple[str | None, ...]:
    """The near and the far link of a direction."""
    ends = taken(found)
    return tuple(ends[end].interface for end in End)


def counted(direction: Direction, **by: str) -> Trial:
    """A trial whose payload each end counted on this link."""
    sender = direction.sender
    windows = {end: window(*(_pair(name, by[end], sends=end is sender) for name in ("eth0", "eth1"))) for end in End}
    return trial(direction, RATE, windows=windows)


def _pair(name: str, busy: str, *, sends: bool) -> Pair:
    rate = RATE if name == busy else 0.0
    return counters(name, tx=rate) if sends else counters(name, rx=rate)


def test_the_links_under_test_unless_something_says_otherwise() -> None:
    """No route was read, nothing was counted."""
    assert ("eth0", "eth0") == links(view())


def test_the_sender_s_routing_before_a_test() -> None:
    """Answers go by another link; what the near end sends does not."""
    found = view(far=(HOME,))
    assert (("eth0", "eth0"), ("eth0", "eth1")) == (links(found), links(replace(found, direction=BACK)))


def test_the_counters_after_a_test() -> None:
    """At both ends."""
    assert ("eth1", "eth1") == links(view(counted(BACK, near="eth1", far="eth1"), direction=BACK))


def test_the_counters_outrank_the_routing() -> None:
    """A rule may look at ports or marks, which `ip route get` was not told."""
    assert ("eth0", "eth0") == links(view(counted(BACK, near="eth0", far="eth0"), far=(HOME,), direction=BACK))


def test_a_test_of_the_other_direction_says_nothing() -> None:
    """Each has its own way."""
    assert ("eth0", "eth0") == links(view(counted(BACK, near="eth1", far="eth1")))


@pytest.mark.parametrize("name", [None, "lo"])
def test_without_a_link_there_is_no_other(name: str | None) -> None:
    """Nothing singles one out, or the test stays within the host."""
    found = view(far=(HOME,), direction=BACK)
    ends = {**found.ends, FAR: replace(found.ends[FAR], interface=name)}
    assert ("eth0", name) == links(replace(found, ends=ends))


def test_a_server_has_a_link_of_no_known_name() -> None:
    """Its routing was never read."""
    found = view(direction=BACK)
    ends = {**found.ends, FAR: replace(found.ends[FAR], interface="", target="iperf3://nas")}
    assert ("eth0", "") == links(replace(found, ends=ends))


def test_the_record_of_a_way() -> None:
    """Sender first, with the speed of the slower link."""
    ends = {
        NEAR: end_view(NEAR, LinkMode(subject="eth0", speed=1e10)),
        FAR: end_view(FAR, LinkMode(subject="eth1", speed=1e9), interface="eth1"),
    }
    expected = Way(direction=BACK, sender_link="eth1", receiver_link="eth0", speed_bps=1e9)
    assert expected == way(view(direction=BACK), ends)


# --- other pairs of links


def address(text: str, name: str, scope: str = "global") -> Address:
    """An address of a link."""
    plain, _, length = text.partition("/")
    return Address(subject=name, family="inet", address=plain, prefix_length=int(length), scope=scope)


BASE = (address("192.0.2.4/24", "eth0"),)
FAR_BASE = (address("192.0.2.3/24", "eth0"),)


def others(near: tuple[Fact, ...], far: tuple[Fact, ...]) -> tuple[str, ...]:
    """What is said beside the pair under test."""
    return alternatives({NEAR: end_view(NEAR, *BASE, *near), FAR: end_view(FAR, *FAR_BASE, *far)})


STORAGE = address("10.0.0.4/24", "eth1"), address("10.0.0.3/24", "eth2")


def test_the_tested_pair_alone() -> None:
    """There is nothing to choose."""
    assert () == others((), ())


def test_a_second_network() -> None:
    """Both links, the network, and the option that tests them."""
    expected = (
        "eth1 of the near end and eth2 of the far end are in one network too (10.0.0.0/24): "
        "--interface eth1 or --bind 10.0.0.4 tests that way"
    )
    assert (expected,) == others(STORAGE[:1], STORAGE[1:])


def test_its_speed_is_told_where_it_is_known() -> None:
    """Of the slower of the two."""
    near, far = LinkMode(subject="eth1", speed=25e9), LinkMode(subject="eth2", speed=1e10)
    assert "(10.0.0.0/24, 10000 Mbit/s)" in others((STORAGE[0], near), (STORAGE[1], far))[0]


def test_a_second_link_of_the_far_end_in_the_same_network() -> None:
    """No option of the near end chooses between them: the address does."""
    found = others((), (address("192.0.2.33/24", "eth5"),))
    assert "naming the far end by 192.0.2.33 tests that way" in found[0]


@pytest.mark.parametrize(
    ("near", "far"),
    [
        pytest.param(address("10.0.0.4/24", "eth1"), address("10.0.1.3/24", "eth2"), id="two networks"),
        pytest.param(address("172.17.0.1/16", "docker0"), address("172.17.0.1/16", "docker0"), id="same address"),
        pytest.param(address("10.0.0.4/24", "eth1", "link"), address("10.0.0.3/24", "eth2"), id="scope"),
        pytest.param(address("10.0.0.4/24", "lo"), address("10.0.0.3/24", "eth2"), id="loopback"),
        pytest.param(address("10.0.0.4/32", "eth1"), address("10.0.0.3/32", "eth2"), id="host addresses"),
    ],
)
def test_what_joins_no_hosts(near: Address, far: Address) -> None:
    """A near miss each."""
    assert () == others((near,), (far,))


def test_a_link_that_is_down_joins_nothing() -> None:
    """Its cable is out."""
    assert () == others((STORAGE[0], link("eth1", operstate="DOWN")), STORAGE[1:])


def test_each_pair_is_told_once() -> None:
    """IPv4 and IPv6 of one link are one way."""
    second = address("2001:db8::4/64", "eth1"), address("2001:db8::3/64", "eth2")
    assert 1 == len(others((STORAGE[0], second[0]), (STORAGE[1], second[1])))


def test_not_every_pair_is_told() -> None:
    """A router has dozens."""
    near, far = ([address(f"10.0.{net}.{host}/24", f"eth{net}") for net in range(1, 9)] for host in (4, 3))
    expected = 3
    assert expected == len(others(tuple(near), tuple(far)))


@pytest.mark.parametrize("change", [{"interface": None}, {"interface": "", "target": "iperf3://nas"}])
def test_without_two_links_nothing_is_told(change: dict[str, str | None]) -> None:
    """One is not known."""
    ends = {NEAR: end_view(NEAR, *BASE, STORAGE[0]), FAR: replace(end_view(FAR, *FAR_BASE, STORAGE[1]), **change)}  # type: ignore[arg-type]
    assert () == alternatives(ends)


def test_out_is_not_back() -> None:
    """A guard on this file's own helper: which counter a trial moves depends on its direction."""
    assert ("eth1", "eth1") == links(view(counted(OUT, near="eth1", far="eth1")))
