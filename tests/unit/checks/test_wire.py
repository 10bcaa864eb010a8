"""Signs of a bad medium that several checks read."""

from dataclasses import replace

import pytest

from fullrate.checks import _wire
from fullrate.records.facts.phy import FecCounters, OpticalModule, PauseCounters
from unit.checks.build import FAR, NEAR
from unit.checks.scenes_phy import damaged, fec, held_back, optics
from unit.checks.wired import NAMES, nic, wired


def test_blocks_that_could_not_be_mended_are_counted() -> None:
    """By how many they grew."""
    view = fec(damaged()).view()
    found = _wire.unmended(view.window(view.trial(), view.receiver))
    assert found is not None
    assert (900, "+900") == (found[0], found[1].value)


@pytest.mark.parametrize("unmended", [0, -5])
def test_no_new_blocks_are_none(unmended: int) -> None:
    """Nor is a counter that went back."""
    view = fec(wired(), unmended=unmended).view()
    assert _wire.unmended(view.window(view.trial(), view.receiver)) is None


def test_uncounted_blocks_are_none() -> None:
    """A driver that counts bits alone."""
    bits = FecCounters(subject=NAMES[FAR], corrected_bits=9)
    view = wired().seeing(FAR, (bits, bits)).view()
    assert _wire.unmended(view.window(view.trial(), view.receiver)) is None


@pytest.mark.parametrize(("power", "out"), [(-13.51, False), (-13.52, True), (-29.9, True), (-30.0, False)])
def test_light_is_weak_below_the_alarm_and_dark_below_30(power: float, *, out: bool) -> None:
    """A lane without any light is not in use."""
    assert out is (_wire.marginal_light(optics(power).view().sender) is not None)


@pytest.mark.parametrize(("temperature", "out"), [(75.0, False), (75.1, True)])
def test_heat_is_above_the_alarm(temperature: float, *, out: bool) -> None:
    """The module's own limit."""
    assert out is (_wire.marginal_light(optics(-1.0, temperature=temperature).view().sender) is not None)


def test_module_without_limits_is_within_them() -> None:
    """Nothing to compare with."""
    bare = OpticalModule(subject=NAMES[NEAR], identifier="SFP", rx_powers=(-22.0,), temperature=99.0)
    assert _wire.marginal_light(wired().having(NEAR, bare).view().sender) is None


def test_no_module_is_none() -> None:
    """Copper."""
    assert _wire.marginal_light(wired().view().sender) is None


def test_pause_frames_are_bounded_by_the_longest() -> None:
    """Ten of 33.6 ms in ten seconds."""
    view = held_back(10).view()
    found = _wire.pause(view, view.trial(), view.sender, received=True)
    assert found is not None
    assert (10, False) == (found.frames, found.counted)
    assert 0.03355392 == pytest.approx(found.share)


def test_share_is_never_more_than_all() -> None:
    """Frames overlap."""
    view = held_back(100_000).view()
    found = _wire.pause(view, view.trial(), view.sender, received=True)
    assert found is not None
    assert 1.0 == found.share


def test_uncounted_pause_is_none() -> None:
    """Neither recipe nor standard counters."""
    view = replace(wired(), recipes={}).view()
    assert _wire.pause(view, view.trial(), view.sender, received=True) is None


@pytest.mark.parametrize(("received", "expected"), [(True, 40), (False, 7)])
def test_standard_counters_go_both_ways(*, received: bool, expected: int) -> None:
    """Received and sent are not mixed up."""
    first = PauseCounters(subject=NAMES[NEAR], received=1, sent=2)
    last = PauseCounters(subject=NAMES[NEAR], received=41, sent=9)
    view = replace(wired(), recipes={}).seeing(NEAR, (first, last)).view()
    found = _wire.pause(view, view.trial(), view.sender, received=received)
    assert found is not None
    assert expected == found.frames


def test_one_way_uncounted_is_none() -> None:
    """The driver counts what it sends alone."""
    sent = PauseCounters(subject=NAMES[NEAR], sent=2)
    view = replace(wired(), recipes={}).seeing(NEAR, (sent, sent)).view()
    assert _wire.pause(view, view.trial(), view.sender, received=True) is None


def test_drivers_counters_come_first() -> None:
    """They tell XOFF from XON."""
    counters = PauseCounters(subject=NAMES[NEAR], received=0, sent=0)
    scene = wired().seeing(NEAR, nic(NEAR, rx_flow_control_xoff=5), (counters, replace(counters, received=10)))
    view = scene.view()
    found = _wire.pause(view, view.trial(), view.sender, received=True)
    assert found is not None
    assert 5 == found.frames
