"""Frames the receiver's NIC discarded, and why."""

from dataclasses import replace

import pytest

from fullrate.checks._overrun import State, overrun
from fullrate.checks._overrun_why import (
    bus_waits,
    ring_can_grow,
    sleeps,
    timer_fills_ring,
    why,
)
from fullrate.checks._overrun_why import replays as replayed
from fullrate.records.evidence import Gap, Status
from fullrate.records.facts.bus import BusStep, DevicePath, PcieErrors
from fullrate.records.facts.ethtool import Coalescing, DriverInfo, NicCounters, Rings
from fullrate.records.facts.net import TcpSocket
from fullrate.records.facts.queues import ReceiveDrops
from fullrate.records.view import Missing
from unit.checks.build import FAR, NEAR, Scene
from unit.checks.nic import OWN, PORT, drops, full_ring, job, own_counters, path, receiving, replays
from unit.checks.nic import overrun as lossy
from unit.checks.pairs import socket
from unit.checks.scenes_nic import delayed, sleeping


def state(scene: Scene) -> State:
    """What the discards of a scene mean."""
    return overrun(scene.view()).state


def reason(scene: Scene) -> str | None:
    """The cause named for the discards of a scene."""
    view = scene.view()
    return why(view, overrun(view))


def test_nothing_discarded() -> None:
    """A healthy NIC discards nothing."""
    assert State.NONE is state(job())


def test_few_discards_are_nothing() -> None:
    """Four of 52,000 frames are below the project's bar."""
    assert State.NONE is state(lossy(frames=4))


def test_discards_with_room() -> None:
    """The CPU has room, the flow is held back."""
    found = overrun(lossy().view())
    assert (State.OPEN, 518, True) == (found.state, found.frames, found.acts)


def test_price_is_what_the_loss_costs() -> None:
    """TCP holds little at 20 ms and 1 % loss; the ceiling minus the measured rate is the most there is."""
    view = lossy().view()
    assert view.ceiling - 60e6 == pytest.approx(overrun(view).price)


def test_full_cpu() -> None:
    """A full CPU explains discards, at no price of the NIC's own."""
    found = overrun(lossy(receiving(0, busy=0.99, softirq=0.9)).view())
    assert (State.CPU, 0.0) == (found.state, found.price)


def test_full_link() -> None:
    """Discards on a full link harm nobody."""
    assert State.HARMLESS is state(lossy(rate=935e6))


def test_discards_that_nobody_sent_again() -> None:
    """Frames of others, or moments that lost nothing: the flow was not hurt."""
    assert State.HARMLESS is state(lossy().seeing(NEAR, socket(60e6, lost=0.0)))


def test_drivers_own_counter() -> None:
    """Where the kernel's counters stand still the driver's count."""
    assert 300 == overrun(lossy(own_counters(FAR, rx_no_descriptor=300), frames=0).view()).frames


def test_kernels_counter_comes_first() -> None:
    """The same frames are not counted twice."""
    assert 518 == overrun(lossy(own_counters(FAR, rx_no_descriptor=300)).view()).frames


def test_fifo_counts_as_well() -> None:
    """Drivers differ in the name they use; the largest counts."""
    assert 600 == overrun(lossy(drops(FAR, missed=518, fifo=600), frames=0).view()).frames


def test_udp_price_is_what_was_discarded() -> None:
    """As many frames as arrived: as much again."""
    received = overrun(lossy().view()).received
    scene = replace(lossy(frames=received), protocol="udp").lacking(NEAR, TcpSocket, "before", "after")
    assert 60e6 == pytest.approx(overrun(scene.view()).price)


def test_udp_that_loses_little() -> None:
    """1 % of 60 Mbit/s is nothing on a gigabit."""
    assert State.HARMLESS is state(replace(lossy(), protocol="udp"))


@pytest.mark.parametrize("kind", [ReceiveDrops, NicCounters])
def test_counters_must_be_read_twice(kind: type[ReceiveDrops] | type[NicCounters]) -> None:
    """A missing counter is not zero."""
    with pytest.raises(Missing):
        state(job().lacking(FAR, kind, "before"))


def test_driver_must_be_known() -> None:
    """Its own counters may be the only ones that move."""
    with pytest.raises(Missing):
        state(job().lacking(FAR, DriverInfo, "facts"))


def test_driver_without_recipe() -> None:
    """Then the kernel's counters must do, and the driver's are not needed."""
    scene = job().having(FAR, DriverInfo(subject="enp3s0", driver="unheard")).lacking(FAR, NicCounters, "before")
    assert State.NONE is state(scene)


def test_counter_that_went_back() -> None:
    """A reset leaves nothing to say."""
    first, _ = drops(FAR)
    with pytest.raises(Missing):
        state(job().seeing(FAR, (first, ReceiveDrops(subject="enp3s0", missed=1, fifo=2, over=0))))


def test_no_reason() -> None:
    """A large ring, no sleep, no wait, no replay: why is open."""
    assert None is reason(full_ring(lossy()))


@pytest.mark.parametrize(
    ("scene", "expected"),
    [
        (lossy(), "rx-ring-too-small"),
        (sleeping(full_ring(lossy())), "pcie-aspm"),
        (sleeping(lossy()), "rx-ring-too-small"),
        (delayed(lossy()), "coalescing-too-high"),
        (delayed(lossy(own_counters(FAR, rx_bus_wait=9))), "pcie-stall"),
        (delayed(lossy(own_counters(FAR, rx_bus_wait=9), replays(FAR, 0, 5))), "pcie-signal-errors"),
    ],
)
def test_one_reason_is_named(scene: Scene, expected: str) -> None:
    """The surest sign first, so that no two checks claim the same frames."""
    assert expected == reason(scene)


def test_unread_sign_is_no_reason() -> None:
    """What cannot be read is not named."""
    assert None is reason(lossy().lacking(FAR, Rings, "facts"))


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
