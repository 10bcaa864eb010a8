"""Link modes as ethtool names them."""

import pytest

from fullrate.records.facts.ethtool import LinkMode, mode_speed


@pytest.mark.parametrize(
    ("mode", "expected"),
    [("10baseT/Half", 10e6), ("1000baseT/Full", 1e9), ("2500baseX/Full", 2.5e9), ("100000baseCR4/Full", 1e11)],
)
def test_speed_of_a_mode(mode: str, expected: float) -> None:
    """The number is Mbit/s."""
    assert expected == mode_speed(mode)


@pytest.mark.parametrize("word", ["Pause", "Autoneg", "TP", "Not reported"])
def test_other_words_are_no_speed(word: str) -> None:
    """Some versions list ports and pause beside the modes."""
    assert mode_speed(word) is None


def link(*partner: str) -> LinkMode:
    """A gigabit link whose partner advertises these modes."""
    supported = ("10baseT/Full", "100baseT/Full", "1000baseT/Full")
    return LinkMode(subject="enp1s0", speed=100e6, supported=supported, partner_advertised=partner)


def test_fastest_mode_both_know() -> None:
    """What the partner alone can do does not count."""
    assert 1e9 == link("100baseT/Full", "1000baseT/Full", "2500baseT/Full").best_common()


def test_partner_that_shows_nothing() -> None:
    """Then it cannot be told."""
    assert link().best_common() is None
