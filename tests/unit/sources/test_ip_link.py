"""The parser of `ip -json -details -statistics link` and of its text form."""

import pytest

from fullrate.records.errors import FormatError
from fullrate.records.evidence import query
from fullrate.records.facts.link import Link
from fullrate.records.leaf import Scope
from fullrate.sources.ip_link import SOURCE, parse
from tool_output import GARBAGE, ran, recorded

ASKED = ran("ip -json -details -statistics link show")
BOTH_FORMS = pytest.mark.parametrize("form", ["ip_j_d_s_link", "ip_d_s_link"])
GENERATIONS = pytest.mark.parametrize("generation", ["debian12", "debian13"])


def links(path: str) -> dict[str, Link]:
    """The links of a recorded reply by name."""
    return {link.subject: link for link in parse(ASKED, recorded(path))}


@BOTH_FORMS
@GENERATIONS
def test_physical_link_is_read_whole(generation: str, form: str) -> None:
    """Every field of a PCI NIC, the same from JSON and text of both generations."""
    expected = Link(
        subject="eth3",
        ifindex=5,
        mtu=1500,
        operstate="UP",
        mac="02:00:00:1a:b0:00",
        parent_device="0000:81:00.0",
        tx_queues=8,
        rx_queues=8,
        gso_max_size=65536,
        gro_max_size=65536,
        qdisc="mq",
    )
    assert (expected,) == parse(ASKED, recorded(f"{generation}/igb/{form}.txt"))


@BOTH_FORMS
@GENERATIONS
def test_vlan_names_the_link_below(generation: str, form: str) -> None:
    """A VLAN has a kind and a lower link."""
    vlan = links(f"{generation}/8021q/{form}.txt")["vl10"]
    assert (16, "vlan", "eth3", "DOWN") == (vlan.ifindex, vlan.kind, vlan.lower, vlan.operstate)


@BOTH_FORMS
@GENERATIONS
def test_peer_in_another_namespace_is_not_below(generation: str, form: str) -> None:
    """`veth0@if13` names no link of this namespace."""
    veth = links(f"{generation}/veth/{form}.txt")["veth0"]
    assert ("veth", None) == (veth.kind, veth.lower)


@BOTH_FORMS
@GENERATIONS
def test_peer_in_this_namespace_is_not_below(generation: str, form: str) -> None:
    """A veth pair is no stack: following `lower` must not go round in a circle."""
    found = links(f"{generation}/recorded/{form}.txt")
    assert ("veth", None, None) == (found["frta3"].kind, found["frta3"].lower, found["frta2"].lower)


@BOTH_FORMS
@GENERATIONS
def test_member_of_a_bridge_names_its_master(generation: str, form: str) -> None:
    """A bridge port keeps its own kind, not bridge_slave."""
    found = links(f"{generation}/recorded/{form}.txt")
    assert ("veth", "br0") == (found["frta2"].kind, found["frta2"].master)
    assert ("bridge", None) == (found["br0"].kind, found["br0"].master)


@BOTH_FORMS
@GENERATIONS
def test_all_links_in_order(generation: str, form: str) -> None:
    """A reply holds several links; each has its own index and queues."""
    found = links(f"{generation}/recorded/{form}.txt")
    assert [("lo", 1, 1), ("frta0", 2, 2), ("br0", 3, 1), ("frta3", 4, 2), ("frta2", 5, 2)] == [
        (link.subject, link.ifindex, link.tx_queues) for link in found.values()
    ]


@BOTH_FORMS
@GENERATIONS
def test_xdp_program_is_seen(generation: str, form: str) -> None:
    """A link with an XDP program says so."""
    assert links(f"{generation}/recorded/{form}_xdp.txt")["lo"].xdp


@BOTH_FORMS
def test_link_without_xdp_program(form: str) -> None:
    """No program, no mark."""
    assert not links(f"debian12/recorded/{form}.txt")["lo"].xdp


@BOTH_FORMS
@GENERATIONS
def test_bond_is_a_kind(generation: str, form: str) -> None:
    """A bond has 16 queues and no device."""
    bond = links(f"{generation}/bonding/{form}.txt")["bond0"]
    assert ("bond", 16, None, None) == (bond.kind, bond.rx_queues, bond.parent_device, bond.lower)


@BOTH_FORMS
@GENERATIONS
def test_device_of_another_bus(generation: str, form: str) -> None:
    """The device's address need not be PCI."""
    assert "netdevsim7" == links(f"{generation}/netdevsim/{form}.txt")["eth10"].parent_device


def test_whole_machine() -> None:
    """The reply of a machine with sixteen links is read whole."""
    found = links("debian12/machine/ip_j_d_s_link_all.txt")
    assert (16, "virtio4", "dummy") == (len(found), found["eth8"].parent_device, found["dum0"].kind)


def test_text_without_details() -> None:
    """Plain `ip link` has index, MTU, state and address; the rest is not reported."""
    expected = Link(subject="br0", ifindex=3, mtu=1500, operstate="DOWN", mac="02:00:00:0a:00:0b", qdisc="noop")
    assert expected == links("debian12/recorded/ip_link.txt")["br0"]


def test_member_of_a_bond_that_is_physical_has_no_kind() -> None:
    """The line of a member's state below a physical link is no kind."""
    (link,) = parse(
        ASKED,
        b"2: eth0: <BROADCAST,SLAVE,UP> mtu 9000 qdisc mq master bond0 state UP mode DEFAULT group default qlen 1000\n"
        b"    link/ether 02:00:00:00:00:01 brd ff:ff:ff:ff:ff:ff promiscuity 0  allmulti 0 minmtu 68 maxmtu 9216 \n"
        b"    bond_slave state ACTIVE mii_status UP link_failure_count 0 addrgenmode eui64 numtxqueues 8 \n",
    )
    assert (None, "bond0", 9000) == (link.kind, link.master, link.mtu)


@pytest.mark.parametrize("form", ["ip_j_d_s_link", "ip_d_s_link"])
def test_truncated_reply_is_refused(form: str) -> None:
    """JSON cut anywhere and text cut within its first line are errors."""
    with pytest.raises(FormatError):
        parse(ASKED, recorded(f"debian12/igb/{form}.txt")[:60])


@pytest.mark.parametrize("payload", [*GARBAGE, b"", b"[]\n", b"    link/ether 02:00:00:00:00:01\n"])
def test_other_text_is_refused(payload: bytes) -> None:
    """What is not of ip link raises FormatError; no host is without links."""
    with pytest.raises(FormatError):
        parse(ASKED, payload)


def test_text_behind_the_links_is_refused() -> None:
    """A line that belongs to no link is an error."""
    with pytest.raises(FormatError):
        parse(ASKED, recorded("debian12/igb/ip_d_s_link.txt") + b"Killed\n")


def test_host_is_asked_whatever_the_scope() -> None:
    """All links are asked for at once."""
    expected = (query("ip", "-json", "-details", "-statistics", "link", "show"),)
    assert expected == SOURCE.requests(Scope()) == SOURCE.requests(Scope(links=("eth0",)))


@pytest.mark.parametrize(
    ("command", "own"),
    [
        ("ip -json -details -statistics link show", True),
        ("ip -s -d link", True),
        ("ip addr", False),
        ("ip -json route get 10.0.0.1", False),
        ("ethtool eth0", False),
    ],
)
def test_which_replies_are_its_own(command: str, own: bool) -> None:  # noqa: FBT001 - a column of the table
    """Any form of ip link, nothing else."""
    assert own is SOURCE.answers(ran(command))


@BOTH_FORMS
@GENERATIONS
def test_root_qdisc_of_a_link(generation: str, form: str) -> None:
    """The loopback has none; a link that is down has the one that drops everything."""
    found = links(f"{generation}/recorded/{form}.txt")
    assert ("noqueue", "noop") == (found["lo"].qdisc, found["frta3"].qdisc)
