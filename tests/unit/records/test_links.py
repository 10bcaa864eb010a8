"""Which links stand below another one."""

import pytest

from fullrate.records.facts.link import Link, around, links_below, wires_below
from fullrate.sources.ip_link import parse
from tool_output import ran, recorded


def link(name: str, kind: str | None = None, *, lower: str | None = None, master: str | None = None) -> Link:
    """A link that is up."""
    return Link(subject=name, ifindex=1, mtu=1500, operstate="UP", kind=kind, lower=lower, master=master)


STACK = (
    link("lo"),
    link("eth0", master="bond0"),
    link("eth1", master="bond0"),
    link("eth2", master="br0"),
    link("tap0", "tun", master="br0"),
    link("bond0", "bond"),
    link("bond0.7", "vlan", lower="bond0"),
    link("br0", "bridge"),
    link("mv0", "macvlan", lower="br0"),
    link("veth0", "veth"),
    link("veth0.7", "vlan", lower="veth0"),
    link("wg0", "wireguard"),
    link("away", "vlan"),
)


@pytest.mark.parametrize(
    ("name", "below", "wires"),
    [
        ("eth0", (), ("eth0",)),
        ("bond0", ("eth0", "eth1"), ("eth0", "eth1")),
        ("bond0.7", ("bond0", "eth0", "eth1"), ("eth0", "eth1")),
        ("br0", ("eth2",), ("eth2",)),
        ("mv0", ("br0", "eth2"), ("eth2",)),
        ("veth0.7", ("veth0",), ()),
        ("wg0", (), ()),
        ("away", (), ()),
        ("lo", (), ()),
        ("eth9", (), ()),
    ],
)
def test_what_is_below(name: str, below: tuple[str, ...], wires: tuple[str, ...]) -> None:
    """Nearest first; a bridge's taps are beside it, not below; of a tunnel nothing is known."""
    assert (below, wires) == (links_below(STACK, name), wires_below(STACK, name))


def test_bridge_with_two_uplinks() -> None:
    """Which one a packet takes is not known: none is taken for it."""
    assert () == links_below((*STACK, link("eth3", master="br0")), "br0")


def test_circle_of_links_ends() -> None:
    """No kernel makes one, a recording could."""
    circle = (link("a", "vlan", lower="b"), link("b", "vlan", lower="a"))
    assert ("b",) == links_below(circle, "a")


@pytest.mark.parametrize("generation", ["debian12", "debian13"])
def test_recorded_vlan(generation: str) -> None:
    """As `ip -json -details link` shows it, its parent is its wire."""
    found = parse(ran("ip -j -d -s link"), recorded(f"{generation}/machine/ip_j_d_s_link_all.txt"))
    assert ("eth3",) == wires_below(found, "vl10")


def test_blocks_in_use_are_told_from_those_that_only_stand_there() -> None:
    """The module makes ifb0 and ifb1 when it is loaded, both down; one that is up says UNKNOWN."""
    idle = Link(subject="ifb0", ifindex=8, mtu=1500, operstate="DOWN", kind="ifb")
    used = Link(subject="ifb1", ifindex=9, mtu=1500, operstate="UNKNOWN", kind="ifb")
    assert ("bond0.7", "bond0", "eth0", "eth1", "ifb1") == around((*STACK, idle, used), "bond0.7")
