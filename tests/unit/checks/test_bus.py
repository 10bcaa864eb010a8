"""What PCIe and USB carry."""

from dataclasses import replace

import pytest

from fullrate.checks._bus import (
    bus_cost,
    file_of,
    is_guest,
    is_virtual,
    narrowest,
    offers_no,
    pcie_capacity,
    usb_capacity,
)
from fullrate.records.evidence import Gap, Status
from fullrate.records.facts.bus import BusStep
from fullrate.records.facts.cpu import Topology
from fullrate.records.facts.ethtool import Channels
from fullrate.records.facts.link import Link
from fullrate.records.view import EndView, Missing
from unit.checks.build import NEAR, Scene
from unit.checks.nic import OWN, PORT, job, path, virtual


def step(speed: float | None, width: int | None) -> BusStep:
    """A device whose link is as fast and wide as this."""
    return BusStep(level=0, pci_address="0000:01:00.0", speed=speed, width=width)


def near(scene: Scene) -> EndView:
    """The near end of a scene."""
    return scene.view().end(NEAR)


@pytest.mark.parametrize(
    ("speed", "width", "expected"),
    [(2.5, 1, 1.82), (5.0, 1, 3.63), (5.0, 4, 14.5), (8.0, 4, 28.6), (8.0, 16, 114.4), (16.0, 8, 114.4)],
)
def test_pcie_capacity(speed: float, width: int, expected: float) -> None:
    """8b/10b up to 5 GT/s, 128b/130b above, 256 of 282 bytes payload; Gbit/s."""
    capacity = pcie_capacity(step(speed, width))
    assert capacity is not None
    assert expected == pytest.approx(capacity / 1e9, rel=0.005)


@pytest.mark.parametrize(("speed", "width"), [(None, 4), (8.0, None), (None, None)])
def test_no_capacity_without_a_link(speed: float | None, width: int | None) -> None:
    """A device that does not tell its link carries nobody knows what."""
    assert None is pcie_capacity(step(speed, width))


def test_the_narrowest_link_counts() -> None:
    """A bridge above the card may be the bottleneck."""
    found = narrowest([step(8.0, 8), step(5.0, 2), step(None, None)])
    assert found is not None
    assert (5.0, 2) == (found[0].speed, found[0].width)


def test_no_link_told() -> None:
    """Virtual functions tell none."""
    assert None is narrowest([step(None, None)])


@pytest.mark.parametrize(
    ("rate", "expected"), [(12e6, 9.728e6), (480e6, 425.984e6), (5e9, 4e9), (10e9, 9.697e9), (20e9, 19.394e9)]
)
def test_usb_capacity(rate: float, expected: float) -> None:
    """Whole packets a frame for USB 1 and 2, the line code above."""
    capacity = usb_capacity(rate)
    assert capacity is not None
    assert expected == pytest.approx(capacity, rel=0.001)


def test_unknown_usb_rate() -> None:
    """A rate of no standard is not guessed."""
    assert None is usb_capacity(1.5e9)


def test_cost_is_what_the_bus_leaves_out() -> None:
    """The payload's share of the frames is the same on both: half the speed, half the ceiling."""
    view = job(300e6).view()
    assert view.ceiling / 2 == pytest.approx(bus_cost(view, 500e6))


def test_cost_never_exceeds_what_is_missing() -> None:
    """A rate that was measured disproves a lower capacity."""
    view = job(900e6).view()
    assert view.ceiling - 900e6 == pytest.approx(bus_cost(view, 500e6))


def test_no_cost_without_a_speed() -> None:
    """Then no ceiling is known."""
    assert 0.0 == bus_cost(replace(job(), speed=None).view(), 500e6)


def test_virtual_link() -> None:
    """A veth is made by the kernel, a NIC is not."""
    assert [False, True] == [is_virtual(near(scene), "enp1s0") for scene in (job(), virtual(job()))]


def test_kind_of_link_must_be_known() -> None:
    """Without it nothing is assumed."""
    with pytest.raises(Missing):
        is_virtual(near(job().lacking(NEAR, Link, "facts")), "enp1s0")


def test_guest() -> None:
    """A hypervisor makes the host a guest."""
    guest = job().having(NEAR, Topology(cpus=2, hypervisor="KVM"))
    assert [False, True] == [is_guest(near(scene)) for scene in (job(), guest)]


def test_file_of_a_step() -> None:
    """The file is named the way it was read: by levels above the link's device."""
    assert "read /sys/class/net/enp1s0/device/../link/l1_aspm" == file_of(path(NEAR), PORT, "link/l1_aspm")
    assert "read /sys/class/net/enp1s0/device/uevent" == file_of(path(NEAR), OWN, "uevent")


@pytest.mark.parametrize(
    ("status", "tried", "expected"),
    [
        (Status.UNSUPPORTED, "run ethtool -l enp1s0", True),
        (Status.ABSENT, "run ethtool -l enp1s0", False),
        (Status.UNSUPPORTED, "run ethtool -l enp9s0", False),
    ],
)
def test_refusal_of_the_driver(status: Status, tried: str, *, expected: bool) -> None:
    """Only the driver's own no about this very link counts; a missing tool does not."""
    gap = Gap(wanted="Channels", tried=tried, status=status, reason="")
    scene = job()
    end = near(scene.with_side(NEAR, replace(scene.near, gaps=(gap,))))
    assert expected is offers_no(end, Channels, "enp1s0")
