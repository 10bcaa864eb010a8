"""Which addresses and links of two hosts a test runs between."""

from dataclasses import replace

import pytest

from fullrate.pairing import (
    CANDIDATES,
    ECHO_SIZE,
    Side,
    Wish,
    choose,
    direct,
    far_addresses,
    far_side,
    is_address,
    other_links,
    own_name,
    refuse_one_host,
    relay,
    server_addresses,
)
from fullrate.records.errors import TargetError, UsageError
from fullrate.records.facts.base import Fact
from fullrate.records.facts.link import Address, Link, Route
from fullrate.records.facts.names import ResolvedAddress
from fullrate.records.facts.net import EchoProbe, HostIdentity, SshConnection
from unit.diagnose.making import taken

ANY = Wish()


def address(text: str, link: str = "eth0", scope: str = "global") -> Address:
    """An address with its prefix length."""
    plain, _, length = text.partition("/")
    family = "inet6" if ":" in plain else "inet"
    return Address(subject=link, family=family, address=plain, prefix_length=int(length), scope=scope)


def route(to: str, link: str = "eth0", source: str | None = "192.0.2.1", kind: str = "unicast") -> Route:
    """How the near end reaches an address."""
    return Route(subject=to, ifname=link, source=source, kind=kind)


def reached(server: str) -> SshConnection:
    """The SSH connection we came by."""
    return SshConnection(client_address="192.0.2.1", server_address=server)


HOME = address("192.0.2.1/24")


def candidates(*far: Fact, near: tuple[Fact, ...] = (HOME,), wish: Wish = ANY) -> tuple[str, ...]:
    """The far addresses worth trying."""
    return far_addresses(taken(*near), taken(*far), wish)


# --- one host under two names

BOOT = HostIdentity(boot_id="b00")
ETH0 = Link(subject="eth0", ifindex=2, mtu=1500, operstate="UP", mac="02:00:00:00:00:01")
ONE = (BOOT, ETH0, HOME, address("127.0.0.1/8", "lo", "host"))


def refused(*far: Fact, near: tuple[Fact, ...] = ONE) -> str:
    """The sentence with which `nas` is refused; empty when it is another host."""
    try:
        refuse_one_host(taken(*near), taken(*far), "nas")
    except UsageError as error:
        return str(error)
    return ""


@pytest.mark.parametrize("server", ["127.0.1.1", "127.0.0.1", "::1"])
def test_name_that_means_loopback(server: str) -> None:
    """What happened, where it shows, what to do."""
    said = refused(*ONE, reached(server))
    assert said.startswith(f"nas leads back to the near end itself: the SSH connection arrived at {server}")
    assert "`getent hosts nas` shows what it means here (Debian writes" in said


@pytest.mark.parametrize("ways", [(), (reached("192.0.2.1"),)], ids=["namespace", "own address"])
def test_one_host_by_another_way(ways: tuple[Fact, ...]) -> None:
    """Its own address, or a namespace named twice."""
    assert refused(*ONE, *ways) == "both ends are the same host: nas is the near end itself; name another host"


@pytest.mark.parametrize(
    "far",
    [
        pytest.param((HostIdentity(boot_id="b01"), *ONE[1:]), id="a clone's addresses, another boot"),
        pytest.param((BOOT, ETH0, address("192.0.2.2/24")), id="another namespace, or a resumed image"),
        pytest.param((BOOT, replace(ETH0, mac="02:00:00:00:00:02"), *ONE[2:]), id="the same address twice"),
        pytest.param(ONE[1:], id="boot not known"),
    ],
)
def test_two_hosts_are_two(far: tuple[Fact, ...]) -> None:
    """A near miss each, also when a tunnel ends at the far end's loopback."""
    assert "" == refused(*far, reached("127.0.0.1"))


def test_hosts_without_a_link_are_not_compared() -> None:
    """Two empty namespaces look alike."""
    lo = address("127.0.0.1/8", "lo", "host")
    assert "" == refused(BOOT, lo, near=(BOOT, lo))


@pytest.mark.parametrize(
    ("name", "addresses", "expected"),
    [
        ("nas", ("127.0.1.1",), "127.0.1.1"),
        ("nas", ("::1", "127.0.1.1"), "::1"),
        ("nas", ("192.0.2.1",), "192.0.2.1"),
        ("127.0.0.1", (), "127.0.0.1"),
        ("nas", ("127.0.1.1", "192.0.2.9"), None),
        ("nas", ("192.0.2.9",), None),
        ("nas", (), None),
        ("192.0.2.9", (), None),
    ],
)
def test_own_name(name: str, addresses: tuple[str, ...], expected: str | None) -> None:
    """Only a name that means nothing else."""
    known = (ResolvedAddress(subject=name, address=one) for one in addresses)
    assert expected == own_name(taken(*ONE, *known), name)


# --- which far addresses


def test_address_of_the_ssh_connection_comes_first() -> None:
    """It is known to be reachable."""
    far = (address("192.0.2.2/24"), address("198.51.100.2/24", "eth1"), reached("198.51.100.2"))
    assert ("198.51.100.2", "192.0.2.2") == candidates(*far)


def test_translated_address_of_the_ssh_connection_is_not_tried() -> None:
    """Behind a NAT sshd sees an address, but none of the links holds it."""
    assert ("192.0.2.2",) == candidates(address("192.0.2.2/24"), reached("203.0.113.9"))


def test_address_on_a_common_network_comes_before_others() -> None:
    """A directly connected link is the likeliest one."""
    assert ("192.0.2.2", "10.0.0.2") == candidates(address("10.0.0.2/8", "eth1"), address("192.0.2.2/24"))


def test_addresses_stand_once() -> None:
    """SSH, common network and list may name the same."""
    assert ("192.0.2.2",) == candidates(address("192.0.2.2/24"), reached("192.0.2.2"))


def test_network_of_the_wished_interface_comes_first() -> None:
    """Of two common networks the one that the test starts from."""
    near = (HOME, address("10.0.0.1/8", "eth1"))
    far = (address("192.0.2.2/24"), address("10.0.0.2/8", "eth1"))
    assert ("10.0.0.2", "192.0.2.2") == candidates(*far, near=near, wish=Wish(interface="eth1"))


def test_network_of_the_wished_source_comes_first() -> None:
    """The same by address."""
    near = (HOME, address("10.0.0.1/8", "eth1"))
    far = (address("192.0.2.2/24"), address("10.0.0.2/8", "eth1"))
    assert ("10.0.0.2", "192.0.2.2") == candidates(*far, near=near, wish=Wish(bind="10.0.0.1"))


def test_ipv4_comes_before_ipv6_as_listed() -> None:
    """Two addresses of a common network keep the far end's order."""
    near = (HOME, address("2001:db8::1/64"))
    assert ("192.0.2.2", "2001:db8::2") == candidates(address("192.0.2.2/24"), address("2001:db8::2/64"), near=near)


@pytest.mark.parametrize(("family", "found"), [(4, "192.0.2.2"), (6, "2001:db8::2")])
def test_wished_family_is_kept_to(family: int, found: str) -> None:
    """-4 and -6."""
    far = (address("192.0.2.2/24"), address("2001:db8::2/64"))
    assert (found,) == candidates(*far, wish=Wish(family=family))


@pytest.mark.parametrize(("bind", "found"), [("192.0.2.1", "192.0.2.2"), ("2001:db8::1", "2001:db8::2")])
def test_wished_source_sets_the_family(bind: str, found: str) -> None:
    """An IPv6 source reaches no IPv4 address."""
    far = (address("192.0.2.2/24"), address("2001:db8::2/64"))
    assert (found,) == candidates(*far, wish=Wish(bind=bind))


def test_lab_names_the_far_address() -> None:
    """Nothing is searched for."""
    assert ("10.9.0.2",) == candidates(address("192.0.2.2/24"), wish=Wish(far_address="10.9.0.2"))


@pytest.mark.parametrize(
    "useless",
    [
        pytest.param(address("127.0.0.1/8", "lo", "host"), id="loopback"),
        pytest.param(address("127.0.0.2/8", "lo", "global"), id="loopback with a global scope"),
        pytest.param(address("fe80::2/64", scope="link"), id="link-local"),
    ],
)
def test_addresses_that_lead_nowhere_are_left_out(useless: Address) -> None:
    """They mean another host, or need a zone."""
    assert ("192.0.2.2",) == candidates(useless, address("192.0.2.2/24"))


def test_only_so_many_are_tried() -> None:
    """A container host has dozens."""
    far = [address(f"10.0.{number}.2/24", f"br{number}") for number in range(CANDIDATES + 5)]
    assert CANDIDATES == len(candidates(*far))


def test_near_addresses_are_among_those_tried() -> None:
    """However many bridges are listed before."""
    far = [address(f"10.0.{number}.2/24", f"br{number}") for number in range(CANDIDATES + 5)]
    assert "192.0.2.2" == candidates(*far, address("192.0.2.2/24"))[0]


@pytest.mark.parametrize(
    ("wish", "message"),
    [
        pytest.param(ANY, "no usable address, only link-local ones;", id="any"),
        pytest.param(Wish(family=6), "no usable IPv6 address, only link-local ones;", id="family"),
        pytest.param(Wish(family=4), "no usable IPv4 address;", id="other family"),
    ],
)
def test_far_end_without_an_address_is_refused(wish: Wish, message: str) -> None:
    """The message says where to look."""
    with pytest.raises(UsageError, match=message):
        candidates(address("fe80::2/64", scope="link"), wish=wish)


# --- the near side


def chosen(*near: Fact, to: tuple[str, ...] = ("192.0.2.2",), wish: Wish = ANY) -> tuple[Side, str]:
    """The near side, and the far address."""
    return choose(taken(*near), to, wish)


def test_route_tells_source_and_link() -> None:
    """As the kernel would send."""
    assert (Side(address="192.0.2.1", link="eth0"), "192.0.2.2") == chosen(route("192.0.2.2"))


def test_first_reachable_candidate_is_taken() -> None:
    """The likeliest one that has a route."""
    near = (route("10.0.0.2", "eth1", "10.0.0.1"), route("192.0.2.2"))
    assert "10.0.0.2" == chosen(*near, to=("203.0.113.2", "10.0.0.2", "192.0.2.2"))[1]


def test_route_without_a_source_takes_the_links_own_address() -> None:
    """Of the far address's family."""
    near = (address("2001:db8::1/64"), address("10.0.0.1/8", "eth1"), HOME, route("192.0.2.2", source=None))
    assert "192.0.2.1" == chosen(*near)[0].address


def test_ipv6_route_without_a_source_takes_an_ipv6_address() -> None:
    """The link-local one is none to test from."""
    near = (HOME, address("fe80::1/64", scope="link"), address("2001:db8::1/64"), route("2001:db8::2", source=None))
    assert Side(address="2001:db8::1", link="eth0") == chosen(*near, to=("2001:db8::2",))[0]


def test_wished_source_is_used() -> None:
    """The route was asked for with it."""
    assert "192.0.2.77" == chosen(route("192.0.2.2"), wish=Wish(bind="192.0.2.77"))[0].address


def test_wished_interface_passes_over_other_routes() -> None:
    """A later candidate that leaves by it is taken."""
    near = (route("192.0.2.2"), route("10.0.0.2", "eth1", "10.0.0.1"))
    found = chosen(*near, to=("192.0.2.2", "10.0.0.2"), wish=Wish(interface="eth1"))
    assert (Side(address="10.0.0.1", link="eth1"), "10.0.0.2") == found


def test_own_address_is_passed_over() -> None:
    """Two container hosts have the same bridge address; it leads to ourselves."""
    near = (route("172.17.0.1", "lo", "172.17.0.1", "local"), route("192.0.2.2"))
    assert "192.0.2.2" == chosen(*near, to=("172.17.0.1", "192.0.2.2"))[1]


@pytest.mark.parametrize("kind", ["unreachable", "blackhole", "prohibit", "broadcast"])
def test_route_that_leads_nowhere_is_passed_over(kind: str) -> None:
    """Only a unicast route carries the test."""
    with pytest.raises(TargetError, match=r"no route to 192.0.2.2"):
        chosen(route("192.0.2.2", kind=kind))


def test_same_host_is_a_wrong_command_line() -> None:
    """No link lies between a host and itself."""
    with pytest.raises(UsageError, match=r"same host \(192.0.2.1 is its own address\)"):
        chosen(route("192.0.2.1", "lo", "192.0.2.1", "local"), to=("192.0.2.1",))


def test_shared_bridge_address_does_not_make_it_the_same_host() -> None:
    """One candidate is our own, the other has no route: that is a missing route."""
    with pytest.raises(TargetError, match=r"no route to 172.17.0.1 or 192.0.2.2"):
        chosen(route("172.17.0.1", "lo", "172.17.0.1", "local"), to=("172.17.0.1", "192.0.2.2"))


def test_missing_route_names_the_command_that_shows_why() -> None:
    """What to do next."""
    with pytest.raises(TargetError, match=r"no route to 192.0.2.2; `ip route get` there shows why"):
        chosen()


def test_missing_route_through_an_interface_names_it() -> None:
    """The wish is part of why."""
    with pytest.raises(TargetError, match=r"no route to 192.0.2.2 through eth9"):
        chosen(route("192.0.2.2"), wish=Wish(interface="eth9"))


def test_missing_route_from_an_address_names_it() -> None:
    """The address to test from is part of why, too."""
    with pytest.raises(TargetError, match=r"no route to 192.0.2.2 from 192.0.2.9"):
        chosen(wish=Wish(bind="192.0.2.9"))


def test_route_without_any_source_is_no_path() -> None:
    """The link has no address of that family."""
    with pytest.raises(TargetError, match="no route"):
        chosen(address("2001:db8::1/64"), route("192.0.2.2", source=None))


# --- the links beside the tested one


def test_other_links_are_those_that_hold_an_address() -> None:
    """Each once, the tested one and the loopback never."""
    held = (address("10.0.0.1/8", "eth1"), address("2001:db8::1/64", "eth1"), address("127.0.0.1/8", "lo", "host"))
    assert ("eth1",) == other_links(taken(HOME, *held, address("fe80::1/64", "eth2", "link")), "eth0")


def test_not_every_other_link_is_read() -> None:
    """A container host has dozens."""
    bridges = [address(f"10.0.{number}.2/24", f"br{number}") for number in range(CANDIDATES + 5)]
    assert CANDIDATES == len(other_links(taken(*bridges), "eth0"))


# --- the far side


def test_far_link_is_the_one_that_holds_the_address() -> None:
    """Also when answers leave by another."""
    far = taken(address("192.0.2.2/24", "bond0"), route("192.0.2.1", "eth1"))
    assert Side(address="192.0.2.2", link="bond0") == far_side(far, "192.0.2.2", "192.0.2.1")


def test_far_link_of_a_translated_address_is_the_way_back() -> None:
    """Nobody there holds the address."""
    far = taken(address("10.0.0.2/8"), route("192.0.2.1", "eth1"))
    assert Side(address="203.0.113.2", link="eth1") == far_side(far, "203.0.113.2", "192.0.2.1")


def test_far_link_of_an_address_on_the_loopback_is_the_way_back() -> None:
    """Routers are named by such addresses."""
    far = taken(address("10.255.0.2/32", "lo"), route("192.0.2.1", "eth1"))
    assert Side(address="10.255.0.2", link="eth1") == far_side(far, "10.255.0.2", "192.0.2.1")


def test_far_end_without_address_and_way_back_is_refused() -> None:
    """There is no link to test."""
    with pytest.raises(TargetError, match=r"neither the address 203.0.113.2 nor a route back to 192.0.2.1"):
        far_side(taken(), "203.0.113.2", "192.0.2.1")


# --- the addresses of a server


def resolved(*addresses: str, name: str = "nas", wish: Wish = ANY) -> tuple[str, ...]:
    """Those to try, of the ones the resolver gave for `nas`."""
    return server_addresses(taken(*(ResolvedAddress(subject="nas", address=one) for one in addresses)), name, wish)


def test_addresses_of_a_server_keep_the_resolvers_order() -> None:
    """It knows which ones are likely to be reached."""
    assert ("2001:db8::7", "192.0.2.7") == resolved("2001:db8::7", "192.0.2.7")


@pytest.mark.parametrize(("family", "found"), [(4, "192.0.2.7"), (6, "2001:db8::7")])
def test_the_wished_family_of_a_server(family: int, found: str) -> None:
    """-4 and -6."""
    assert (found,) == resolved("2001:db8::7", "192.0.2.7", wish=Wish(family=family))


def test_a_wished_source_sets_the_family_of_a_server() -> None:
    """An IPv4 source reaches no IPv6 address."""
    assert ("192.0.2.7",) == resolved("2001:db8::7", "192.0.2.7", wish=Wish(bind="192.0.2.1"))


def test_a_server_without_the_wished_family_is_the_users_error() -> None:
    """What it has is said."""
    with pytest.raises(UsageError, match=r"nas has no IPv6 address, only 192\.0\.2\.7"):
        resolved("192.0.2.7", wish=Wish(family=6))


@pytest.mark.parametrize("own", ["127.0.0.1", "127.0.1.1", "::1", "0.0.0.0", "::"])  # noqa: S104 - refused
def test_a_server_on_loopback_is_refused(own: str) -> None:
    """Nothing would cross a link."""
    with pytest.raises(UsageError, match=r"nas is the near end itself .* no link lies between"):
        resolved(own)


def test_an_address_on_loopback_is_refused_too() -> None:
    """Also when no name was resolved."""
    with pytest.raises(UsageError, match="no link lies between"):
        resolved(name="127.0.0.1")


def test_a_loopback_address_beside_others_is_left_out() -> None:
    """A hosts file may give a name both."""
    assert ("192.0.2.7",) == resolved("127.0.1.1", "192.0.2.7")


def test_a_server_named_by_its_address_needs_no_resolver() -> None:
    """The near end may have none."""
    assert ("2001:db8::9",) == resolved(name="2001:db8::9")


def test_a_name_that_cannot_be_resolved() -> None:
    """The command that shows why is named."""
    with pytest.raises(TargetError, match="cannot resolve nas: `getent ahosts nas` there shows why"):
        resolved()


def test_an_answer_about_another_name_is_not_used() -> None:
    """Each name has its own."""
    with pytest.raises(TargetError, match="cannot resolve speed"):
        resolved("192.0.2.7", name="speed")


def test_not_every_address_of_a_server_is_tried() -> None:
    """A large service has dozens."""
    assert CANDIDATES == len(resolved(*(f"192.0.2.{last}" for last in range(1, 30))))


@pytest.mark.parametrize(
    ("name", "expected"), [("192.0.2.7", True), ("2001:db8::7", True), ("nas", False), ("1.2.3", False), ("", False)]
)
def test_what_is_an_address(name: str, expected: bool) -> None:  # noqa: FBT001 - a row of the table
    """And what is to be resolved."""
    assert expected is is_address(name)


# --- a far end that SSH reached by way of another host

JUMPED = SshConnection(client_address="203.0.113.9", server_address="198.51.100.2")
FAR_TWO = ("198.51.100.2", "192.0.2.2")


def echo(to: str, received: int) -> EchoProbe:
    """What came back of three echo requests."""
    return EchoProbe(subject=f"{to} {ECHO_SIZE}", sent=3, received=received, size=ECHO_SIZE)


def reachable(*near: Fact, name: str = "nas", wish: Wish = ANY) -> tuple[str, ...]:
    """The far addresses that are left."""
    return direct(taken(HOME, *near), taken(JUMPED), name, FAR_TWO, wish)


def test_a_relay_is_an_address_of_neither_end() -> None:
    """A connection straight from the near end has none, nor has a host that nobody reached over SSH."""
    assert "203.0.113.9" == relay(taken(HOME), taken(JUMPED))
    assert [None, None, None] == [
        relay(taken(HOME), taken(reached("192.0.2.2"))),
        relay(taken(HOME), taken()),
        relay(taken(), taken(JUMPED)),
    ]


def test_only_what_answers_is_direct() -> None:
    """The address that the jump host used may lead nowhere from here."""
    assert ("192.0.2.2",) == reachable(echo("198.51.100.2", 0), echo("192.0.2.2", 3))


def test_nothing_answers() -> None:
    """What was tried, and what to do."""
    with pytest.raises(
        TargetError, match=r"^nas was reached by way of 203\.0\.113\.9, and none .*: 198\.51\.100\.2, 192"
    ):
        reachable(echo("198.51.100.2", 0))


@pytest.mark.parametrize(
    ("name", "known"),
    [("198.51.100.2", ()), ("nas", (ResolvedAddress(subject="nas", address="198.51.100.2"),))],
    ids=["address", "name"],
)
def test_behind_nat_the_named_address_is_taken_at_its_word(name: str, known: tuple[Fact, ...]) -> None:
    """A cloud drops echoes, and the near end's own address is another there."""
    assert FAR_TWO == reachable(*known, name=name)


def test_the_user_knows_the_way() -> None:
    """A link or an address that was named is tried without an answer."""
    assert [FAR_TWO, FAR_TWO] == [
        reachable(wish=Wish(interface="eth0")),
        reachable(wish=Wish(bind="192.0.2.1")),
    ]
