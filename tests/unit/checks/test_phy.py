"""What the checks of the physical side share: wires, counters, what lost frames cost."""

from dataclasses import replace

import pytest

from fullrate.checks import _phy
from fullrate.drivers.igb import RECIPE as IGB
from fullrate.records.ends import End
from fullrate.records.evidence import Gap, Status
from fullrate.records.facts.ethtool import DriverInfo
from fullrate.records.facts.link import Link
from fullrate.records.facts.phy import Carrier, FecMode
from fullrate.records.view import EndView, Missing, View
from unit.checks.build import FAR, NEAR, Scene
from unit.checks.wired import carrier, nic, on_veth, wired


def named(scene: Scene, interface: str) -> View:
    """The view of a scene whose near end is tested over another link."""
    return scene.with_side(NEAR, replace(scene.near, interface=interface)).view()


def below(view: View, end: End = NEAR) -> list[str | None]:
    """The physical links an end's link runs on."""
    return [wire.interface for wire in _phy.wires(view, view.end(end))]


def link(name: str, **fields: object) -> Link:
    """A link of the near end."""
    return replace(Link(subject=name, ifindex=9, mtu=1500, operstate="UP"), **fields)  # type: ignore[arg-type]


def near(scene: Scene) -> EndView:
    """The near end of a scene."""
    return scene.view().end(NEAR)


def test_physical_link_is_its_own_wire() -> None:
    """Nothing lies below it."""
    assert ["enp1s0"] == below(wired().view())


def test_vlan_runs_on_its_lower_link() -> None:
    """And a VLAN on a VLAN as well."""
    scene = wired().having(NEAR, link("v1", kind="vlan", lower="enp1s0"), link("v2", kind="vlan", lower="v1"))
    assert ["enp1s0"] == below(named(scene, "v2"))


def test_bond_runs_on_all_its_members() -> None:
    """Each has a wire."""
    scene = wired().having(
        NEAR, link("bond0", kind="bond"), link("enp1s0", master="bond0"), link("eno2", master="bond0")
    )
    assert ["enp1s0", "eno2"] == below(named(scene, "bond0"))


@pytest.mark.parametrize("kind", ["veth", "bridge", "vxlan", "tun", "dummy"])
def test_software_links_have_no_wire(kind: str) -> None:
    """Even with a link below: whether the test uses that one is not said."""
    scene = wired().having(NEAR, link("x", kind=kind, lower="enp1s0"))
    assert [] == below(named(scene, "x"))


def test_loopback_has_no_wire() -> None:
    """It has no kind either."""
    assert [] == below(named(wired().having(NEAR, link("lo")), "lo"))


def test_paravirtual_nic_has_no_wire() -> None:
    """Its recipe says so."""
    scene = replace(wired(), recipes={"igb": replace(IGB, label_speed=True)})
    assert [] == below(scene.view())


def test_stack_without_its_lower_link_has_no_wire() -> None:
    """It is in another namespace."""
    assert [] == below(named(wired().having(NEAR, link("v1", kind="vlan")), "v1"))


def test_links_that_hold_each_other_end() -> None:
    """Broken text must not hang us."""
    scene = wired().having(NEAR, link("v1", kind="vlan", lower="v2"), link("v2", kind="vlan", lower="v1"))
    assert [] == below(named(scene, "v1"))


def test_unread_link_is_missing() -> None:
    """What it is cannot be told."""
    with pytest.raises(Missing):
        below(named(wired(), "other"))


def test_virtual_link_does_not_apply() -> None:
    """The judge is not asked."""
    view = on_veth(wired()).view()
    finding = _phy.on_wires(view, "eee", view.sender, lambda _: pytest.fail("asked"))
    assert ("enp1s0 is virtual: it has no wire", NEAR) == (finding.summary, finding.end)


@pytest.mark.parametrize(
    ("status", "tried", "expected"),
    [
        (Status.UNSUPPORTED, "run ethtool --show-fec enp1s0", True),
        (Status.UNSUPPORTED, "run ethtool --show-fec enp1s01", False),
        (Status.DENIED, "run ethtool --show-fec enp1s0", False),
        (Status.ABSENT, "run ethtool --show-fec enp1s0", False),
    ],
)
def test_only_a_refusal_about_this_link_says_that_it_lacks_it(status: Status, tried: str, *, expected: bool) -> None:
    """No rights, no tool, or another link: it may have it."""
    scene = wired()
    gap = Gap(wanted="FecMode", tried=tried, status=status, reason="no")
    end = near(scene.with_side(NEAR, replace(scene.near, gaps=(gap,))))
    assert expected is _phy.lacks(end, FecMode)


def test_counters_of_one_meaning_are_summed() -> None:
    """And named, those that grew."""
    view = wired().seeing(NEAR, nic(NEAR, rx_crc_errors=3, rx_align_errors=4)).view()
    window = view.window(view.trial(), view.sender)
    found = _phy.counted(window, IGB, lambda recipe: recipe.damaged)
    assert found is not None
    assert (7, 10.0, "rx_crc_errors, rx_align_errors") == (found.grown, found.seconds, found.evidence.field)


def test_recipe_without_such_counters_counts_nothing() -> None:
    """Neither does a driver without a recipe."""
    view = wired().view()
    window = view.window(view.trial(), view.sender)
    assert (None, None) == (
        _phy.counted(window, IGB, lambda recipe: recipe.allowance),
        _phy.counted(window, None, lambda recipe: recipe.damaged),
    )


def test_pattern_that_no_counter_has_counts_nothing() -> None:
    """An older kernel."""
    view = wired().view()
    window = view.window(view.trial(), view.sender)
    assert _phy.counted(window, replace(IGB, damaged=("bad_*",)), lambda recipe: recipe.damaged) is None


def test_unread_driver_leaves_damage_unknown() -> None:
    """Which of its counters tell is not known."""
    view = wired().lacking(FAR, DriverInfo, "facts").view()
    with pytest.raises(Missing):
        _phy.damaged(view, view.trial(), view.receiver)


def test_larger_count_of_damage_wins() -> None:
    """The kernel's, when the driver's knows less."""
    view = wired().seeing(FAR, nic(FAR, rx_crc_errors=3), carrier(FAR, crc=9)).view()
    assert 9 == _phy.damaged(view, view.trial(), view.receiver).grown


def test_uncounted_frames_in_the_kernel_are_unknown() -> None:
    """A kernel that does not show them."""
    first, last = carrier(FAR)
    pair = tuple(replace(one, crc_errors=None) for one in (first, last) if isinstance(one, Carrier))
    view = wired().seeing(FAR, (pair[0], pair[1])).view()
    with pytest.raises(Missing):
        _phy.damaged(view, view.trial(), view.receiver)


def test_no_frames_at_all_lose_no_share() -> None:
    """Nothing came, nothing was lost."""
    view = wired().view()
    idle = replace(view, trials=tuple(replace(trial, windows=view.trials[0].windows) for trial in view.trials))
    assert 0.0 == _phy.share_of_received(idle, idle.trial(), idle.receiver, 0)


def test_loss_without_tcp_costs_nothing_known() -> None:
    """How much a datagram test suffers is not TCP's arithmetic."""
    view = wired(60e6).view()
    lonely = replace(view, trials=tuple(replace(trial, windows={}) for trial in view.trials))
    assert 0.0 == _phy.loss_cost(lonely, lonely.trial(), 0.1)
