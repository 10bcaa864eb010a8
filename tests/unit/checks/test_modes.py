"""Link modes and what a lower one costs."""

from dataclasses import replace

import pytest

from fullrate.checks import _modes
from unit.checks.build import CEILING, NEAR
from unit.checks.wired import MODES, mode, wired

FASTER = (*MODES, "2500baseT/Full")


@pytest.mark.parametrize(
    ("modes", "expected"),
    [((), None), (("Pause",), None), (MODES, 1e9), (("10000baseSR/Full", "25000baseCR/Full"), 25e9)],
)
def test_fastest_of_some_modes(modes: tuple[str, ...], expected: float | None) -> None:
    """By their speed; what is no speed does not count."""
    assert expected == _modes.fastest(modes)


@pytest.mark.parametrize(("speed", "words"), [(1e9, "1 Gbit/s"), (2.5e9, "2.5 Gbit/s"), (100e6, "100 Mbit/s")])
def test_speeds_in_words(speed: float, words: str) -> None:
    """As people say them."""
    assert words == _modes.gigabits(speed)


def test_unadvertised_mode_is_named() -> None:
    """Known to both, offered by one."""
    found = mode(NEAR, supported=FASTER, partner_advertised=FASTER)
    assert "2500baseT/Full" == _modes.best_unadvertised(found)


def test_slower_unadvertised_mode_does_not_matter() -> None:
    """The link runs faster than that."""
    found = mode(NEAR, advertised=("1000baseT/Full",))
    assert _modes.best_unadvertised(found) is None


def test_half_duplex_modes_do_not_matter() -> None:
    """Nobody misses them."""
    modes = (*MODES, "2500baseT/Half")
    assert _modes.best_unadvertised(mode(NEAR, supported=modes, partner_advertised=modes)) is None


def test_unknown_partner_misses_nothing() -> None:
    """It cannot be told."""
    assert _modes.best_unadvertised(mode(NEAR, supported=FASTER, partner_advertised=())) is None


@pytest.mark.parametrize(("speed", "expected"), [(100e6, 0.9), (1e9, 0.0), (10e9, 0.0)])
def test_cost_is_the_share_of_the_path(speed: float, expected: float) -> None:
    """Of a gigabit path."""
    assert expected * CEILING == pytest.approx(_modes.lower_rate_cost(wired().view(), speed))


def test_cost_needs_a_measurement_and_a_speed() -> None:
    """Otherwise nothing is known to be lost."""
    scenes = (replace(wired(), rate=None), replace(wired(), speed=None))
    assert [0.0, 0.0] == [_modes.lower_rate_cost(scene.view(), 100e6) for scene in scenes]
