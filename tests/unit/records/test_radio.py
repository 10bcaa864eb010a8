"""The arithmetic of radio rates."""

import pytest

from fullrate.records.radio import LEAST_TOP, Generation, is_narrow, phy_rate, top_rate
from fullrate.records.units import MEGABIT

HT, VHT, HE, EHT = Generation.HT, Generation.VHT, Generation.HE, Generation.EHT


@pytest.mark.parametrize(
    ("generation", "width", "streams", "index", "megabits"),
    [  # of the standard's own tables, with the shortest guard interval
        (HT, 20, 1, 0, 7.2),
        (HT, 20, 1, 7, 72.2),
        (HT, 40, 2, 7, 300.0),
        (VHT, 80, 1, 4, 195.0),
        (VHT, 80, 2, 9, 866.7),
        (VHT, 160, 1, 9, 866.7),
        (HE, 20, 1, 11, 143.4),
        (HE, 80, 2, 11, 1201.0),
        (EHT, 320, 2, 13, 5764.7),
    ],
)
def test_rates(generation: Generation, width: int, streams: int, index: int, megabits: float) -> None:
    """As devices and tools print them."""
    assert megabits == pytest.approx((phy_rate(generation, width, streams, index) or 0.0) / MEGABIT, abs=0.06)


@pytest.mark.parametrize(
    ("generation", "width", "streams", "megabits"),
    [(HT, 20, 2, 144.4), (VHT, 20, 2, 173.3), (VHT, 80, 2, 866.7), (HE, 160, 2, 2402.0)],
)
def test_tops(generation: Generation, width: int, streams: int, megabits: float) -> None:
    """802.11ac has no ninth MCS at 20 MHz."""
    assert megabits == pytest.approx((top_rate(generation, width, streams) or 0.0) / MEGABIT, abs=0.06)


def test_a_channel_that_a_generation_does_not_have() -> None:
    """802.11n knows 20 and 40 MHz."""
    assert top_rate(HT, 80, 2) is None


def test_the_least_top() -> None:
    """One stream of 802.11n at 20 MHz."""
    assert 72.2 == round(LEAST_TOP / MEGABIT, 1)


@pytest.mark.parametrize(
    ("megabits", "narrow"), [(72.2, True), (144.4, True), (173.3, True), (65.0, False), (300.0, False), (54.0, False)]
)
def test_rates_that_tell_the_width(megabits: float, narrow: bool) -> None:  # noqa: FBT001 - the expected value
    """65 Mbit/s is also of 80 MHz, 54 of 802.11g and of 40 MHz."""
    assert narrow is is_narrow(megabits * MEGABIT)
