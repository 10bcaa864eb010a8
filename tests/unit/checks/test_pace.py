"""Whether an end of a UDP test did its part."""

from dataclasses import replace

import pytest

from fullrate.checks._pace import at_pace
from fullrate.checks.cpu_hog_on_irq_cpu import CHECK
from fullrate.records.facts.cpu import Softnet
from fullrate.records.finding import Judgement
from fullrate.records.view import Missing
from unit.checks.build import FAR, NEAR, Scene, judged
from unit.checks.pairs import counters, softnet
from unit.checks.scenes_cpu import hogged
from unit.checks.scenes_tcp import datagrams, udp
from unit.checks.scenes_udp import vanishing


def keeps(scene: Scene, end: object) -> bool:
    """Whether the end of a scene kept pace."""
    view = scene.view()
    return at_pace(view, view.trial("udp"), view.sender if end is NEAR else view.receiver)


@pytest.mark.parametrize(("asked", "expected"), [(505e6, True), (600e6, False), (None, False)])
def test_sender(asked: float | None, expected: bool) -> None:  # noqa: FBT001 - a table's column
    """It sent 500 Mbit/s, whatever became of them; without a limit nobody knows what it was to send."""
    assert expected is keeps(vanishing(asked=asked), NEAR)


def test_sender_of_more_than_the_link_carries() -> None:
    """It need send no more than that."""
    assert keeps(vanishing(950e6, asked=2e9), NEAR)


def test_receiver_that_took_all_that_came() -> None:
    """A tenth was lost before."""
    assert keeps(vanishing(), FAR)


@pytest.mark.parametrize(
    "scene",
    [
        vanishing().seeing(FAR, softnet(0, dropped=500)),
        vanishing().seeing(FAR, counters("enp3s0", rx=450e6, rx_dropped=500)),
        vanishing().seeing(FAR, datagrams(UdpInDatagrams=380_000, UdpRcvbufErrors=500)),
    ],
    ids=["backlog", "ring", "socket"],
)
def test_receiver_that_discards(scene: Scene) -> None:
    """More than one in a thousand of 424,592."""
    assert not keeps(scene, FAR)


def test_receiver_without_a_loss() -> None:
    """Whatever its counters say of others."""
    assert keeps(vanishing(lost=0.0).seeing(FAR, softnet(0, dropped=500)), FAR)


def test_counters_that_were_not_read_are_missing() -> None:
    """A backlog nobody saw may have overflowed."""
    with pytest.raises(Missing):
        keeps(vanishing().lacking(FAR, Softnet, "before", "after"), FAR)


def test_a_busy_cpu_costs_nothing_that_was_lost_elsewhere() -> None:
    """A near miss: a hog on the receiver's CPU, and a tenth lost on the path."""
    scene = hogged()
    assert Judgement.PROBLEM is judged(CHECK, scene)
    lossy = replace(vanishing(), far=scene.far).seeing(FAR, datagrams(UdpInDatagrams=380_000))
    assert Judgement.CLEAR is judged(CHECK, udp(lossy, sent=500e6))
