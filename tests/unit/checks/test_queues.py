"""How many receive queues a link has, and RPS masks."""

from dataclasses import replace

import pytest

from fullrate.checks._queues import as_mask, receive_queues, receive_steering, steering_remedy
from fullrate.records.evidence import Gap, Status
from fullrate.records.facts.ethtool import Channels
from fullrate.records.facts.queues import QueueCpus
from fullrate.records.view import EndView, Missing
from unit.checks.build import FAR, Scene
from unit.checks.nic import job, one_queue, steering


def far(scene: Scene) -> EndView:
    """The far end of a scene."""
    return scene.view().end(FAR)


def without_channels(scene: Scene, status: Status) -> Scene:
    """The scene in which `ethtool -l` ended so."""
    scene = scene.lacking(FAR, Channels, "facts")
    gap = Gap(wanted="Channels", tried="run ethtool -l enp3s0", status=status, reason="")
    return scene.with_side(FAR, replace(scene.far, gaps=(gap,)))


@pytest.mark.parametrize(
    ("channels", "expected"),
    [
        (Channels(subject="enp3s0", combined=4, combined_max=8), (4, 8, "combined")),
        (Channels(subject="enp3s0", rx=2, rx_max=6, tx=1, tx_max=1), (2, 6, "rx")),
        (Channels(subject="enp3s0", combined=1, combined_max=1), (1, 1, "combined")),
        (Channels(subject="enp3s0", combined=3), (3, 3, "combined")),
    ],
)
def test_channels(channels: Channels, expected: tuple[int, int, str]) -> None:
    """Combined channels or receive ones, whichever the driver has."""
    queues = receive_queues(far(job().having(FAR, channels)), "enp3s0")
    assert expected == (queues.now, queues.most, queues.word)


def test_kernels_queues_without_channels() -> None:
    """Several queues are several, whoever counts them."""
    queues = receive_queues(far(job().lacking(FAR, Channels, "facts")), "enp3s0")
    assert (4, 4) == (queues.now, queues.most)


def test_channels_that_count_nothing() -> None:
    """A driver that lists no receive channel leaves the count to the kernel."""
    assert 4 == receive_queues(far(job().having(FAR, Channels(subject="enp3s0", tx=4))), "enp3s0").now


def test_driver_without_channels_has_one_queue() -> None:
    """Its refusal says that there can be no second."""
    queues = receive_queues(far(without_channels(one_queue(job()), Status.UNSUPPORTED)), "enp3s0")
    assert (1, 1) == (queues.now, queues.most)


@pytest.mark.parametrize("status", [Status.ABSENT, Status.DENIED])
def test_one_queue_that_may_be_a_setting(status: Status) -> None:
    """Without ethtool nobody knows how many there could be."""
    with pytest.raises(Missing):
        receive_queues(far(without_channels(one_queue(job()), status)), "enp3s0")


def test_no_count_at_all() -> None:
    """Neither channels nor queues."""
    with pytest.raises(Missing):
        receive_queues(far(job().lacking(FAR, Channels, "facts").lacking(FAR, QueueCpus, "facts")), "enp3s0")


def test_transmit_queues_are_left_out() -> None:
    """Steering is about receive queues."""
    scene = job().having(FAR, QueueCpus(subject="enp3s0", queue="tx-0", xps_cpus=(1,)))
    assert ["rx-0", "rx-1", "rx-2", "rx-3"] == [queue.queue for queue in receive_steering(far(scene), "enp3s0")]


@pytest.mark.parametrize(
    ("cpus", "mask"),
    [((), "0"), ((0,), "1"), ((2, 3), "c"), ((32,), "1,00000000"), (range(33), "1,ffffffff"), ((31,), "80000000")],
)
def test_masks(cpus: tuple[int, ...], mask: str) -> None:
    """As the kernel reads them: words of eight digits after the first."""
    assert mask == as_mask(cpus)


def test_remedy_restores_each_queues_own_mask() -> None:
    """What is written back is what was found."""
    remedy = steering_remedy(job().view(), tuple(steering(FAR, 1)[:1]), 4)
    file = "/sys/class/net/enp3s0/queues/rx-0/rps_cpus"
    assert ((f"echo f > {file}",), (f"echo 2 > {file}",)) == (remedy.commands, remedy.undo)
