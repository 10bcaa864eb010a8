"""How fast the link between two hosts is, and how much payload it carries."""

from collections.abc import Mapping

import pytest

from fullrate.diagnose.ceiling import asked_goodputs, capable_speed, goodputs, mtu_assumed, own_speed, path_speed
from fullrate.records.ends import Direction, End
from fullrate.records.facts.base import Fact
from fullrate.records.facts.ethtool import DriverInfo, LinkMode
from fullrate.records.facts.net import Sysctl
from fullrate.records.recording import Promise
from fullrate.records.view import EndView
from unit.diagnose.making import BACK, FAR, NEAR, OUT, end_view, link

GIGABIT = 1e9


def speed(rate: float | None, name: str = "eth0") -> LinkMode:
    """What ethtool says was negotiated."""
    return LinkMode(subject=name, speed=rate)


def ends(*near: Fact, far: tuple[Fact, ...] = (), **of_near: str) -> dict[End, EndView]:
    """Two hosts whose links have the usual MTU, unless their facts say otherwise."""
    return {NEAR: end_view(NEAR, link(), *near, **of_near), FAR: end_view(FAR, link(), *far)}


def timestamps(value: str) -> Sysctl:
    """The kernel's setting."""
    return Sysctl(subject="net.ipv4.tcp_timestamps", value=value)


def megabits(found: Mapping[Direction, float]) -> float:
    """The near-to-far ceiling with two decimals."""
    return round(found[OUT] / 1e6, 2)


# --- one link's own speed


def test_negotiated_speed_is_the_links_own() -> None:
    """As the driver says."""
    assert GIGABIT == own_speed(end_view(NEAR, link(), speed(GIGABIT)))


@pytest.mark.parametrize(
    "facts",
    [
        pytest.param((link(),), id="not read"),
        pytest.param((link(), speed(None)), id="the driver does not know"),
        pytest.param((link(), speed(0.0)), id="zero"),
        pytest.param((link("eth1"), speed(GIGABIT, "eth1")), id="another link"),
    ],
)
def test_unknown_speed_is_none(facts: tuple[Fact, ...]) -> None:
    """It is not guessed."""
    assert None is own_speed(end_view(NEAR, *facts))


def test_speed_needs_the_link_under_test() -> None:
    """Where no path singles a link out, no link's speed counts."""
    assert None is own_speed(end_view(NEAR, link(), speed(GIGABIT), interface=None))


@pytest.mark.parametrize("kind", ["veth", "bridge", "dummy", "tun"])
def test_virtual_link_shows_only_a_label(kind: str) -> None:
    """Its speed limits nothing."""
    assert None is own_speed(end_view(NEAR, link(kind=kind), speed(1e10)))


@pytest.mark.parametrize("driver", ["virtio_net", "vmxnet3", "hv_netvsc", "tun", "veth"])
def test_virtual_driver_shows_only_a_label(driver: str) -> None:
    """The hypervisor was told to say so."""
    assert None is own_speed(end_view(NEAR, link(), speed(1e10), DriverInfo(subject="eth0", driver=driver)))


def test_physical_driver_is_believed() -> None:
    """Its speed was negotiated."""
    assert 1e10 == own_speed(end_view(NEAR, link(), speed(1e10), DriverInfo(subject="eth0", driver="ixgbe")))


def test_vlan_on_a_physical_link_shows_that_links_speed() -> None:
    """The tag does not change it."""
    facts = (link("eth0.7", kind="vlan", lower="eth0"), link(), speed(GIGABIT, "eth0.7"))
    assert GIGABIT == own_speed(end_view(NEAR, *facts, interface="eth0.7"))


def test_vlan_on_a_veth_shows_only_a_label() -> None:
    """The label of what is below."""
    facts = (link("eth0.7", kind="vlan", lower="eth0"), link(kind="veth"), speed(1e10, "eth0.7"))
    assert None is own_speed(end_view(NEAR, *facts, interface="eth0.7"))


def test_links_that_name_each_other_end() -> None:
    """A pair may be shown as each other's lower link."""
    facts = (link(lower="eth1"), link("eth1", lower="eth0"), speed(GIGABIT))
    assert GIGABIT == own_speed(end_view(NEAR, *facts))


# --- the path's speed


@pytest.mark.parametrize(
    ("near", "far", "promised", "path"),
    [
        pytest.param(1e9, 1e10, None, 1e9, id="the near link is slower"),
        pytest.param(1e10, 1e9, None, 1e9, id="the far link is slower"),
        pytest.param(1e10, 1e10, 1e9, 1e9, id="the promise is lower"),
        pytest.param(1e9, 1e9, 1e10, 1e9, id="the promise is higher than the links"),
        pytest.param(None, 1e10, None, 1e10, id="one link known"),
        pytest.param(None, None, 2.5e9, 2.5e9, id="only promised"),
        pytest.param(None, None, None, None, id="nothing known"),
    ],
)
def test_path_speed_is_the_lowest_known(
    near: float | None, far: float | None, promised: float | None, path: float | None
) -> None:
    """A path is as fast as its slowest part."""
    assert path == path_speed(ends(speed(near), far=(speed(far),)), promised)


# --- the ceiling


def test_both_directions_have_the_same_ceiling() -> None:
    """Ethernet is as fast either way."""
    assert {OUT: 1e9 * 1448 / 1538, BACK: 1e9 * 1448 / 1538} == goodputs(ends(), GIGABIT)


def test_no_speed_no_ceiling() -> None:
    """Nothing is assumed."""
    assert {} == goodputs(ends(), None)


def test_no_mtu_no_ceiling() -> None:
    """The other link's MTU decides as well."""
    assert {} == goodputs({NEAR: end_view(NEAR, link()), FAR: end_view(FAR)}, GIGABIT)


def test_one_links_mtu_must_do_in_a_paste() -> None:
    """The other one's is not to be had."""
    found = {NEAR: end_view(NEAR, link(mtu=9000)), FAR: end_view(FAR)}
    assert 990.04 == megabits(goodputs(found, GIGABIT, usual=1500))


def test_an_unknown_mtu_is_the_usual_one() -> None:
    """That it was assumed can be told."""
    found = {end: end_view(end) for end in End}
    assert (941.48, True) == (megabits(goodputs(found, GIGABIT, usual=1500)), mtu_assumed(found))


def test_a_known_mtu_is_not_assumed() -> None:
    """One link is enough."""
    assert not mtu_assumed({NEAR: end_view(NEAR, link()), FAR: end_view(FAR)})


def test_smaller_mtu_counts() -> None:
    """A frame must pass both links."""
    found = goodputs({NEAR: end_view(NEAR, link(mtu=9000)), FAR: end_view(FAR, link())}, GIGABIT)
    assert 941.48 == megabits(found)


def test_jumbo_frames_carry_more() -> None:
    """When both links take them."""
    jumbo = link(mtu=9000)
    assert 990.04 == megabits(goodputs({NEAR: end_view(NEAR, jumbo), FAR: end_view(FAR, jumbo)}, GIGABIT))


def test_ipv6_costs_twenty_bytes_more() -> None:
    """By the address under test."""
    both = {
        NEAR: end_view(NEAR, link(), address="2001:db8::1"),
        FAR: end_view(FAR, link(), address="2001:db8::2"),
    }
    assert 928.48 == megabits(goodputs(both, GIGABIT))


@pytest.mark.parametrize(
    ("near", "far", "rate"),
    [
        pytest.param("1", "1", 941.48, id="both on"),
        pytest.param("2", "1", 941.48, id="on without random offset"),
        pytest.param("0", "1", 949.28, id="near off"),
        pytest.param("1", "0", 949.28, id="far off"),
    ],
)
def test_timestamps_need_both_ends(near: str, far: str, rate: float) -> None:
    """One end that does not offer them saves their twelve bytes (RFC 7323)."""
    assert rate == megabits(goodputs(ends(timestamps(near), far=(timestamps(far),)), GIGABIT))


def test_udp_has_its_own_ceiling() -> None:
    """Eight bytes of header instead of 32."""
    assert 957.09 == megabits(goodputs(ends(), GIGABIT, "udp"))


def test_vlan_tag_takes_its_share() -> None:
    """Four bytes of each frame, also when only one end shows the VLAN."""
    tagged = end_view(NEAR, link("eth0.7", kind="vlan", lower="eth0"), link(), interface="eth0.7")
    assert 939.04 == megabits(goodputs({NEAR: tagged, FAR: end_view(FAR, link())}, GIGABIT))


def test_two_tags_take_two_shares() -> None:
    """A VLAN on a VLAN: 1448 of 1546 bytes."""
    stack = (
        link("eth0.7.8", kind="vlan", lower="eth0.7"),
        link("eth0.7", kind="vlan", lower="eth0"),
        link(),
    )
    tagged = end_view(NEAR, *stack, interface="eth0.7.8")
    assert 936.61 == megabits(goodputs({NEAR: tagged, FAR: end_view(FAR, link())}, GIGABIT))


# --- a link that negotiated less than it could


def slowed(*partner: str) -> EndView:
    """A gigabit NIC that runs at 100 Mbit/s."""
    modes = ("100baseT/Full", "1000baseT/Full")
    mode = LinkMode(subject="eth0", speed=1e8, supported=modes, partner_advertised=partner)
    return end_view(NEAR, link(), mode)


def test_both_partners_can_do_more() -> None:
    """What they could do is what the link should carry."""
    assert GIGABIT == capable_speed(slowed("100baseT/Full", "1000baseT/Full"))


def test_partner_that_is_not_shown() -> None:
    """Then nothing more is assumed."""
    assert 1e8 == capable_speed(slowed())


def test_promise_stands_for_the_partner() -> None:
    """Who promises a gigabit to a gigabit NIC is not served with a hundred megabit."""
    assert GIGABIT == capable_speed(slowed(), GIGABIT)


def test_promise_beyond_the_nic_changes_nothing() -> None:
    """The NIC cannot do it."""
    assert 1e8 == capable_speed(slowed(), 1e10)


# --- what UDP was asked to carry


@pytest.mark.parametrize(
    ("udp", "expected"),
    [(None, 941.48), (500e6, 500.0), (957e6, 957.0), (2e9, 957.09)],
    ids=["tcp", "less", "just", "more"],
)
def test_asked_rate_bounds_the_ceiling(udp: float | None, expected: float) -> None:
    """UDP is to carry what was asked for, or what the link can: 1472 of 1538 bytes."""
    assert expected == megabits(asked_goodputs(ends(), GIGABIT, Promise(udp=udp)))


def test_what_may_be_sent_bounds_what_is_asked() -> None:
    """--max-rate below --udp: no more is sent, so no more can arrive."""
    assert 300.0 == megabits(asked_goodputs(ends(), GIGABIT, Promise(udp=500e6, max_rate=300e6)))


def test_asked_rate_needs_no_speed() -> None:
    """Without a known link the wish alone is the measure."""
    assert {OUT: 5e8, BACK: 5e8} == asked_goodputs(ends(), None, Promise(udp=5e8))


def test_without_a_wish_and_a_speed_there_is_no_ceiling() -> None:
    """It is not guessed."""
    assert {} == asked_goodputs(ends(), None, Promise())
