"""Frames the receiver's NIC discarded, and whether they are its own doing."""

from dataclasses import replace

import pytest

from fullrate.checks._overrun import State, overrun
from fullrate.records.facts.ethtool import DriverInfo, NicCounters
from fullrate.records.facts.net import TcpSocket
from fullrate.records.facts.queues import ReceiveDrops
from fullrate.records.view import Missing
from unit.checks.build import FAR, NEAR, Scene
from unit.checks.nic import drops, job, own_counters, receiving
from unit.checks.nic import overrun as lossy
from unit.checks.pairs import socket


def state(scene: Scene) -> State:
    """What the discards of a scene mean."""
    return overrun(scene.view()).state


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
