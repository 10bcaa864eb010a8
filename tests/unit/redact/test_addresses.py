"""Other addresses keep what networks are made of."""

import ipaddress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fullrate.redact.addresses import Addresses, Places
from fullrate.redact.draws import Draws
from fullrate.redact.hardware import Hardware

Network = tuple[str, int]


def table(*seen: str, networks: tuple[str, ...] = ()) -> Addresses:
    """The tables of a bundle with these addresses and networks."""
    draws = Draws(b"secret")
    values = [ipaddress.ip_address(one) for one in seen]
    known = [ipaddress.ip_network(one) for one in networks]
    places = [
        Places(
            version,
            draws,
            frozenset(int(one) for one in values if one.version == version),
            [(int(one.network_address), one.prefixlen) for one in known if one.version == version],
        )
        for version in (4, 6)
    ]
    return Addresses(places[0], places[1], Hardware(draws, frozenset()), draws)


def four(addresses: Addresses, text: str, length: int = 32) -> str:
    """The replacement as text."""
    return str(ipaddress.IPv4Address(addresses.four(int(ipaddress.IPv4Address(text)), length)))


def six(addresses: Addresses, text: str, length: int = 128) -> str:
    """The replacement as text."""
    return str(ipaddress.IPv6Address(addresses.six(int(ipaddress.IPv6Address(text)), length)))


@pytest.mark.parametrize(
    "text",
    ["0.0.0.9", "127.0.0.1", "127.0.1.1", "255.255.255.255", "255.255.254.0", "128.0.0.0", "224.0.0.251"],
)
def test_what_is_nobodys_stays(text: str) -> None:
    """Loopback, any, masks, groups of protocols."""
    assert text == four(table(text), text)


@pytest.mark.parametrize("text", ["::", "::1", "ff02::1", "ff02::fb", "fe80::", "ffff:ffff:ffff:ffff::", "800::800"])
def test_what_is_nobodys_stays_in_ipv6(text: str) -> None:
    """The same, and what has only the form of an address: a handle of tc."""
    assert text == six(table(text), text)


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("10.1.2.3", "10.0.0.0/8"),
        ("172.20.1.1", "172.16.0.0/12"),
        ("192.168.7.7", "192.168.0.0/16"),
        ("100.64.3.4", "100.64.0.0/10"),
        ("169.254.1.9", "169.254.0.0/16"),
        ("239.1.2.3", "239.0.0.0/8"),
        ("8.8.4.4", "240.0.0.0/4"),
        ("192.0.2.1", "240.0.0.0/4"),
    ],
)
def test_kinds_of_ipv4_addresses_stay_kinds(text: str, where: str) -> None:
    """Private stays private; what is somebody's goes where nobody is."""
    made = four(table(text), text)
    assert ipaddress.ip_address(made) in ipaddress.ip_network(where)
    assert made != text


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("fe80::9:1", "fe80::/64"),
        ("fd12:3456:789a:1::5", "fd00::/8"),
        ("2a01:4f8:1:2::3", "3fff::/20"),
        ("ff05::1:2:3:4", "ff05::/16"),
        ("::ffff:10.1.2.3", "::ffff:10.0.0.0/104"),
        ("64:ff9b::8.8.8.8", "64:ff9b::240.0.0.0/100"),
    ],
)
def test_kinds_of_ipv6_addresses_stay_kinds(text: str, where: str) -> None:
    """The same."""
    made = six(table(text), text)
    assert ipaddress.ip_address(made) in ipaddress.ip_network(where)
    assert ipaddress.ip_address(text) != ipaddress.ip_address(made)


def test_a_mapped_address_is_the_ipv4_address() -> None:
    """However a program writes it."""
    addresses = table("10.1.2.3")
    mapped = ipaddress.IPv6Address(six(addresses, "::ffff:10.1.2.3")).ipv4_mapped
    assert four(addresses, "10.1.2.3") == str(mapped)


def test_a_solicited_group_fits_its_address() -> None:
    """Neighbour discovery asks the group of an address's last three bytes."""
    addresses = table("2001:db8::aa:bbcc:ddee")
    group = int(ipaddress.IPv6Address(six(addresses, "ff02::1:ffcc:ddee")))
    address = int(ipaddress.IPv6Address(six(addresses, "2001:db8::aa:bbcc:ddee")))
    assert address & 0xFFFFFF == group & 0xFFFFFF


def test_the_network_and_its_broadcast_address_stay_so() -> None:
    """All zeros and all ones of a network that is known."""
    addresses = table("10.1.5.9", networks=("10.1.4.0/22",))
    network = ipaddress.ip_network(f"{four(addresses, '10.1.4.0', 22)}/22")
    assert str(network.broadcast_address) == four(addresses, "10.1.7.255")
    assert ipaddress.ip_address(four(addresses, "10.1.5.9")) in network


@pytest.mark.parametrize("text", ["10.0.0.0/8", "172.16.0.0/12", "fc00::/7", "2000::/3", "fe80::/10"])
def test_the_ranges_themselves_stay(text: str) -> None:
    """They name nobody, and a rule that has one means it."""
    first, _, length = text.partition("/")
    made = (six if ":" in text else four)(table(), first, int(length))
    assert first == made


inside = st.integers(min_value=1, max_value=2**22 - 2)


@given(length=st.integers(min_value=12, max_value=28), one=inside, other=inside, base=st.sampled_from(["10", "9"]))
def test_neighbours_stay_neighbours(length: int, one: int, other: int, base: str) -> None:
    """Two addresses share the network that the bundle names if, and only if, their replacements do."""
    start = int(ipaddress.IPv4Address(f"{base}.64.0.0"))
    values = [start + one, start + other]
    texts = [str(ipaddress.IPv4Address(value)) for value in values]
    networks = tuple(str(ipaddress.ip_network(f"{text}/{length}", strict=False)) for text in texts)
    addresses = table(*texts, networks=networks)
    made = [int(ipaddress.IPv4Address(four(addresses, text))) for text in texts]
    rest = 32 - length
    assert (values[0] >> rest == values[1] >> rest) == (made[0] >> rest == made[1] >> rest)


@given(st.sets(st.ip_addresses(v=4), max_size=40))
def test_no_two_addresses_become_one(some: set[ipaddress.IPv4Address]) -> None:
    """Nor does one become another of the bundle's."""
    texts = sorted(map(str, some))
    addresses = table(*texts)
    made = {four(addresses, text) for text in texts}
    moved = {text for text in texts if four(addresses, text) != text}
    assert len(texts) == len(made)
    assert set() == moved & {four(addresses, text) for text in moved}
