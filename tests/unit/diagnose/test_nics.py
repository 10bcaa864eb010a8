"""The NICs behind a stacked link."""

from dataclasses import replace

import pytest

from fullrate.checks.rx_ring_too_small import CHECK as RING
from fullrate.checks.single_rx_queue import CHECK as QUEUE
from fullrate.diagnose.judge import judge
from fullrate.diagnose.nics import on_nics, wires_of
from fullrate.records.ends import Direction, End
from fullrate.records.facts.link import Link, LinkCounters
from fullrate.records.finding import Judgement
from fullrate.records.view import View
from fullrate.sources.ethtool_channels import SOURCE as CHANNELS
from fullrate.sources.ip_link import parse
from tool_output import ran, recorded
from unit.diagnose.making import BACK, FAR, NEAR, OUT, end_view, link, trial, turned, view, window

BOND = (link("bond0", kind="bond"), link("eth0", master="bond0"), link("eth1", master="bond0"))
VLAN = (link("eth0"), link("eth0.7", kind="vlan", lower="eth0"))


def carried(name: str, *, rx: int = 0, tx: int = 0) -> tuple[LinkCounters, LinkCounters]:
    """A link that received and sent so many bytes."""
    before = LinkCounters(
        subject=name,
        rx_bytes=7,
        rx_packets=1,
        rx_errors=0,
        rx_dropped=0,
        tx_bytes=5,
        tx_packets=1,
        tx_errors=0,
        tx_dropped=0,
    )
    return before, replace(before, rx_bytes=7 + rx, tx_bytes=5 + tx)


def under(seen: View, end: End, name: str) -> View:
    """The view with another link under test."""
    return replace(seen, ends={**seen.ends, end: replace(seen.ends[end], interface=name)})


def nic(seen: View, end: End) -> str | None:
    """The link that checks of the NIC see at an end."""
    return on_nics(seen).ends[end].interface


def bonded(direction: Direction = OUT) -> View:
    """The near end's bond sent by eth0 and received by eth1."""
    moved = window(carried("eth0", tx=900, rx=10), carried("eth1", tx=20, rx=800))
    seen = view(trial(direction, windows={NEAR: moved}), near=BOND, direction=direction)
    return under(seen, NEAR, "bond0")


def test_vlans_parent() -> None:
    """It has the rings."""
    assert "eth0" == nic(under(view(near=VLAN), NEAR, "eth0.7"), NEAR)


@pytest.mark.parametrize(("direction", "member"), [(OUT, "eth0"), (BACK, "eth1")])
def test_bonds_busiest_member_in_the_direction(direction: Direction, member: str) -> None:
    """Another one may carry the answers."""
    assert member == nic(bonded(direction), NEAR)


def test_untested_bond() -> None:
    """Any member will do until a test tells: the checks ask for it."""
    assert "eth0" == nic(under(view(near=BOND), NEAR, "bond0"), NEAR)


def test_physical_link_stays() -> None:
    """So does the other end's."""
    seen = view(near=(link(),), far=(link(),))
    assert seen == on_nics(seen)


@pytest.mark.parametrize("facts", [(link(kind="veth"),), ()])
def test_link_without_wires_stays(facts: tuple[Link, ...]) -> None:
    """There is nothing below a veth, or nothing is known."""
    assert "eth0" == nic(view(near=facts), NEAR)


def test_end_without_a_link_stays() -> None:
    """Behind a server of somebody else's nothing is seen."""
    seen = view()
    none = replace(seen, ends={**seen.ends, FAR: end_view(FAR, interface=None)})
    assert nic(none, FAR) is None


def test_wires() -> None:
    """Every member of a bond; the link itself where none is known."""
    assert (("eth0", "eth1"), ("eth5",)) == (wires_of(end_view(NEAR, *BOND), "bond0"), wires_of(end_view(NEAR), "eth5"))


@pytest.mark.parametrize("generation", ["debian12", "debian13"])
def test_recorded_vlan_is_no_reason_to_pass_over_its_nic(generation: str) -> None:
    """The receiver's VLAN stands on an igb: its queues and its ring are judged, or what is missing is named."""
    links = parse(ran("ip -j -d -s link"), recorded(f"{generation}/machine/ip_j_d_s_link_all.txt"))
    queues = CHANNELS.parse(ran("ethtool -l eth3"), recorded(f"{generation}/igb/ethtool_l.txt"))
    seen = under(view(trial(), near=(link(),), far=(*links, *queues)), FAR, "vl10")
    found = judge([QUEUE, RING], lambda direction: turned(seen, direction), []).findings
    mine = [one for one in found if one.direction is OUT]
    assert Judgement.NOT_APPLICABLE not in {one.verdict for one in mine}
