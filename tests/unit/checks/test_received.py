"""What the receiver's own drops cost."""

from dataclasses import replace

import pytest

from fullrate.checks._received import drops_cost
from unit.checks.build import FAR, NEAR, Scene
from unit.checks.cpu_pairs import ordinary
from unit.checks.pairs import counters, socket

LOSSY = ordinary(60e6).seeing(NEAR, socket(60e6, lost=0.01))


def price(scene: Scene, dropped: int) -> float:
    """What so many drops cost."""
    view = scene.view()
    trial = view.trial("udp") if scene.protocol == "udp" else view.trial()
    return drops_cost(view, trial, dropped)


def test_drops_that_explain_the_loss() -> None:
    """TCP's formula gives less than the 60 Mbit/s that were seen."""
    assert 881.5e6 == pytest.approx(price(LOSSY, 518), rel=0.001)


def test_cost_of_a_short_path() -> None:
    """At 0.2 ms TCP holds 710 Mbit/s in spite of 1 % loss: MSS / RTT x 1.22 / 0.1."""
    scene = ordinary(600e6).seeing(NEAR, socket(600e6, lost=0.01, rtt=0.0002))
    assert 941.5e6 - 1448 * 8 / 0.0002 * 1.2247 / 0.1 == pytest.approx(price(scene, 6000), rel=0.01)


def test_half_of_the_loss_is_enough() -> None:
    """259 of 518, and not one less."""
    assert (True, 0.0) == (price(LOSSY, 259) > 0, price(LOSSY, 258))


def test_merged_packets_count_as_their_segments() -> None:
    """Ten packets of 64 kB."""
    assert price(LOSSY.seeing(FAR, counters("enp3s0", rx=60e6, size=64_000)), 10) > 0


def test_little_loss_costs_nothing() -> None:
    """A healthy flow shows as much."""
    assert 0.0 == price(ordinary(60e6).seeing(NEAR, socket(60e6, lost=0.001)), 60)


def test_no_more_loss_than_the_sender_saw() -> None:
    """Drops of other traffic do not make it dearer."""
    assert price(LOSSY, 518) == price(LOSSY, 50_000)


def test_datagrams_are_missing_for_good() -> None:
    """5,180 of 51,800."""
    assert 6e6 == pytest.approx(price(replace(LOSSY, protocol="udp"), 5180), rel=0.001)


def test_datagrams_end_at_the_ceiling() -> None:
    """More were dropped than the link carries."""
    assert 881.5e6 == pytest.approx(price(replace(LOSSY, protocol="udp"), 10_000_000), rel=0.001)
