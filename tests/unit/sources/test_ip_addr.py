"""The parser of `ip -json addr` and of its two text forms."""

import pytest

from fullrate.records.errors import FormatError
from fullrate.records.evidence import query
from fullrate.records.facts.link import Address, Link
from fullrate.records.leaf import Scope
from fullrate.sources.ip_addr import SOURCE, parse
from tool_output import GARBAGE, ran, recorded

ASKED = ran("ip -json addr show")
FORMS = pytest.mark.parametrize("form", ["ip_j_addr", "ip_addr", "ip_o_addr"])
GENERATIONS = pytest.mark.parametrize("generation", ["debian12", "debian13"])


def addresses(payload: bytes) -> tuple[Address, ...]:
    """The addresses of a reply."""
    return tuple(fact for fact in parse(ASKED, payload) if isinstance(fact, Address))


def links(payload: bytes) -> tuple[Link, ...]:
    """The links of a text."""
    return tuple(fact for fact in parse(ASKED, payload) if isinstance(fact, Link))


@FORMS
@GENERATIONS
def test_every_address_is_read(generation: str, form: str) -> None:
    """Addresses of both families, the same from JSON and both text forms of both generations."""
    expected = (
        Address(subject="lo", family="inet", address="127.0.0.1", prefix_length=8, scope="host"),
        Address(subject="lo", family="inet6", address="::1", prefix_length=128, scope="host"),
        Address(subject="frta0", family="inet", address="10.9.0.1", prefix_length=24, scope="global"),
        Address(subject="frta0", family="inet6", address="2001:db8:9::1", prefix_length=64, scope="global"),
        Address(subject="frta0", family="inet6", address="fe80::ff:fe0a:1", prefix_length=64, scope="link"),
        Address(subject="br0", family="inet", address="10.10.0.1", prefix_length=16, scope="global"),
    )
    assert expected == addresses(recorded(f"{generation}/recorded/{form}.txt"))


@GENERATIONS
def test_long_form_shows_links(generation: str) -> None:
    """As ip link does."""
    found = links(recorded(f"{generation}/recorded/ip_addr.txt"))
    assert {"lo": 65536} | dict.fromkeys(("frta0", "br0", "frta2", "frta3"), 1500) == {
        link.subject: link.mtu for link in found
    }


def test_flag_of_a_bond() -> None:
    """The only kind that shows without -d; its member says whose it is."""
    rows = (
        b"3: enp0s20u1: <BROADCAST,MULTICAST,SLAVE,UP,LOWER_UP> mtu 1500 qdisc fq_codel master bond0 state UP\n"
        b"    link/ether 02:00:00:00:00:40 brd ff:ff:ff:ff:ff:ff\n"
        b"4: bond0: <BROADCAST,MULTICAST,MASTER,UP,LOWER_UP> mtu 1500 qdisc noqueue state UP group default qlen 1000\n"
        b"    inet 192.0.2.1/24 scope global bond0\n"
    )
    assert [(None, "bond0"), ("bond", None)] == [(link.kind, link.master) for link in links(rows)]


@pytest.mark.parametrize("generation", ["debian12", "debian13"])
def test_links_without_addresses_give_none(generation: str) -> None:
    """Of a whole machine's links only lo has addresses."""
    found = addresses(recorded(f"{generation}/machine/ip_j_addr.txt"))
    assert [("lo", "127.0.0.1"), ("lo", "::1")] == [(address.subject, address.address) for address in found]


def test_point_to_point_address() -> None:
    """An address with a peer keeps its own side."""
    (found,) = addresses(
        b"7: wg0: <POINTOPOINT,NOARP,UP,LOWER_UP> mtu 1420 qdisc noqueue state UNKNOWN group default qlen 1000\n"
        b"    link/none \n"
        b"    inet 10.7.0.1 peer 10.7.0.2/32 scope global wg0\n",
    )
    assert ("wg0", "10.7.0.1", 32) == (found.subject, found.address, found.prefix_length)


def test_broadcast_address_is_not_taken_for_the_address() -> None:
    """`brd` stands between the address and its scope."""
    (found,) = addresses(b"2: eth0    inet 192.0.2.5/25 brd 192.0.2.127 scope global dynamic eth0\\ valid_lft 9sec\n")
    assert ("192.0.2.5", 25, "global") == (found.address, found.prefix_length, found.scope)


def test_no_address_is_legal() -> None:
    """A namespace whose links have no addresses gives no fact."""
    assert () == parse(ASKED, b'[{"ifname":"lo","addr_info":[]}]\n')


@pytest.mark.parametrize(("form", "end"), [("ip_j_addr", 300), ("ip_addr", 12), ("ip_o_addr", 30)])
def test_truncated_reply_is_refused(form: str, end: int) -> None:
    """A reply cut in the middle is an error."""
    with pytest.raises(FormatError):
        parse(ASKED, recorded(f"debian12/recorded/{form}.txt")[:end])


def test_address_cut_short_is_refused() -> None:
    """An address line without its scope is not passed over."""
    payload = recorded("debian12/recorded/ip_addr.txt")
    with pytest.raises(FormatError):
        parse(ASKED, payload[: payload.index(b"10.9.0.1/24") + 6])


@pytest.mark.parametrize("payload", [*GARBAGE, b"", b"    inet 10.0.0.1/24 scope global eth0\n"])
def test_other_text_is_refused(payload: bytes) -> None:
    """What is not of ip addr, or names no link, raises FormatError."""
    with pytest.raises(FormatError):
        parse(ASKED, payload)


def test_host_is_asked_whatever_the_scope() -> None:
    """All addresses are asked for at once."""
    assert (query("ip", "-json", "addr", "show"),) == SOURCE.requests(Scope())


@pytest.mark.parametrize(
    ("command", "own"),
    [("ip -json addr show", True), ("ip -o addr", True), ("ip link", False), ("ifconfig", False)],
)
def test_which_replies_are_its_own(command: str, own: bool) -> None:  # noqa: FBT001 - a column of the table
    """Any form of ip addr, nothing else."""
    assert own is SOURCE.answers(ran(command))
