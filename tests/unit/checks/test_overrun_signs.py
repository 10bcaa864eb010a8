"""The sign of each cause why a receiver's NIC discards frames."""

from dataclasses import replace

import pytest

from fullrate.checks._overrun import overrun
from fullrate.checks._overrun_signs import bus_waits, ring_can_grow, sleeps, timer_fills_ring
from fullrate.checks._overrun_signs import replays as replayed
from fullrate.records.evidence import Gap, Status
from fullrate.records.facts.bus import BusStep, DevicePath, PcieErrors
from fullrate.records.facts.ethtool import Coalescing, Rings
from fullrate.records.view import Missing
from unit.checks.build import FAR
from unit.checks.nic import OWN, PORT, path, replays
from unit.checks.nic import overrun as lossy


def test_replays_name_the_level() -> None:
    """Which side of the link counted is evidence."""
    view = lossy(replays(FAR, 1, 900)).view()
    sign = replayed(view, overrun(view))
    assert [("BadTLP, level 1", "+900")] == [(seen.field, seen.value) for seen in sign.evidence]


def test_replays_need_both_readings() -> None:
    """PCIe errors since boot say nothing of the trial."""
    view = lossy().lacking(FAR, PcieErrors, "before").view()
    with pytest.raises(Missing):
        replayed(view, overrun(view))


def test_no_replays_off_pcie() -> None:
    """A device on another bus has none."""
    view = lossy().having(FAR, path(FAR, BusStep(level=0, driver="stmmac"))).view()
    assert not replayed(view, overrun(view)).holds


def test_waits_need_a_recipe() -> None:
    """Without one the driver's names mean nothing."""
    view = replace(lossy(), recipes={}).view()
    assert not bus_waits(view, overrun(view)).holds


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({"rx-usecs": 3000}, True),
        ({"rx-usecs": 1000}, False),
        ({"rx-usecs": 3000, "rx-frames": 32}, False),
        ({"rx-usecs": 0}, False),
        ({}, False),
    ],
)
def test_delay_against_the_ring(settings: dict[str, int], *, expected: bool) -> None:
    """81,274 frames a second: 244 in 3 ms and 81 in 1 ms, against half of 256 descriptors."""
    scene = lossy().having(FAR, Coalescing(subject="enp3s0", adaptive_rx=False, parameters=settings))
    view = scene.view()
    assert expected is timer_fills_ring(view, overrun(view)).holds


def test_adaptive_delay_is_no_reason() -> None:
    """The driver chooses it by the load."""
    scene = lossy().having(FAR, Coalescing(subject="enp3s0", adaptive_rx=True, parameters={"rx-usecs": 3000}))
    view = scene.view()
    assert not timer_fills_ring(view, overrun(view)).holds


def test_driver_that_tells_no_ring() -> None:
    """A refusal is an answer: the ring cannot grow."""
    scene = lossy().lacking(FAR, Rings, "facts")
    gap = Gap(wanted="Rings", tried="run ethtool -g enp3s0", status=Status.UNSUPPORTED, reason="")
    view = scene.with_side(FAR, replace(scene.far, gaps=(gap,))).view()
    found = overrun(view)
    assert [False, False] == [ring_can_grow(view, found).holds, timer_fills_ring(view, found).holds]


@pytest.mark.parametrize(
    ("own", "port", "expected"), [(True, False, True), (False, True, True), (False, False, False), (None, False, False)]
)
def test_sleep_anywhere_on_the_way(own: bool | None, port: bool | None, *, expected: bool) -> None:  # noqa: FBT001 - values of a file
    """The device's link or a port's above it."""
    scene = lossy().having(FAR, path(FAR, replace(OWN, l1_aspm=own), replace(PORT, l1_aspm=port)))
    view = scene.view()
    assert expected is sleeps(view, overrun(view)).holds


def test_sleep_that_the_kernel_does_not_control() -> None:
    """Nobody knows what the firmware set."""
    scene = lossy().having(FAR, path(FAR, replace(OWN, l1_aspm=None), replace(PORT, l1_aspm=None)))
    view = scene.view()
    with pytest.raises(Missing):
        sleeps(view, overrun(view))


def test_no_sleep_off_pcie() -> None:
    """A device on another bus has no ASPM."""
    view = lossy().having(FAR, DevicePath(subject="enp3s0", steps=(BusStep(level=0, driver="stmmac"),))).view()
    assert not sleeps(view, overrun(view)).holds
