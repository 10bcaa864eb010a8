"""Rates, shares and foreign strings as people read them."""

import pytest

from fullrate.records.trial import Estimate
from fullrate.report import words


@pytest.mark.parametrize(
    ("bps", "expected"),
    [
        (3_214_000_000, "3.21 Gbit/s"),
        (941_482_444, "941.5 Mbit/s"),
        (94_148_000, "94.15 Mbit/s"),
        (9_414_824_446, "9.41 Gbit/s"),
        (376_593_000_000, "376.6 Gbit/s"),
        (1_500, "1.50 kbit/s"),
        (999_960_000, "1.00 Gbit/s"),
        (12, "12.00 bit/s"),
        (0, "0 bit/s"),
        (0.3, "0.30 bit/s"),
        (1.2e12, "1.20 Tbit/s"),
    ],
)
def test_rate(bps: float, expected: str) -> None:
    """A measured rate has three or four digits and the unit that suits it."""
    assert expected == words.rate(bps)


@pytest.mark.parametrize(
    ("bps", "expected"), [(10e9, "10 Gbit/s"), (2.5e9, "2.5 Gbit/s"), (100e6, "100 Mbit/s"), (1e9, "1 Gbit/s")]
)
def test_speed(bps: float, expected: str) -> None:
    """A nominal speed is written as on the box."""
    assert expected == words.speed(bps)


@pytest.mark.parametrize(
    ("bps", "model", "expected"), [(3e8, 6.2e9, "0.30 Gbit/s"), (0, 6.2e9, "0.00 Gbit/s"), (5e6, 941e6, "5.0 Mbit/s")]
)
def test_rate_like(bps: float, model: float, expected: str) -> None:
    """The parts of a sum stand in the unit of the sum."""
    assert expected == words.rate_like(bps, model)


def test_short_rate() -> None:
    """A narrow column drops what its heading says."""
    expected = "10.40 G"
    assert expected == words.short_rate(10.4e9)


@pytest.mark.parametrize(
    ("median", "half", "expected"),
    [
        (3.214e9, 0.041e9, "+-0.05"),
        (3.214e9, 0.0, "+-0.01"),
        (941.5e6, 0.1e6, "+-1.9"),
        (941.5e6, 5.0e6, "+-5.0"),
        (1.0e9, 0.0, "+-0.01"),
        (9.40e9, 0.020e9, "+-0.02"),
        (0.0, 0.0, "+-0.00"),
    ],
)
def test_half_width(median: float, half: float, expected: str) -> None:
    """The half width has the unit of its rate, is rounded up and never under 0.2 %."""
    estimate = Estimate(n=3, median=median, ci_low=median - half, ci_high=median + half)
    assert expected == words.half_width(estimate)


@pytest.mark.parametrize(
    ("bps", "ceiling", "expected"),
    [
        (3.214e9, 9.4148e9, "3.21 of 9.41 Gbit/s"),
        (612.7e6, 9.4148e9, "612.7 Mbit/s of 9.41 Gbit/s"),
        (941.47e6, 941.48e6, "941.5 of 941.5 Mbit/s"),
        (0, 941.48e6, "0 bit/s of 941.5 Mbit/s"),
    ],
)
def test_of_ceiling(bps: float, ceiling: float, expected: str) -> None:
    """The unit stands once when it is the same, and never is left to guess."""
    assert expected == words.of_ceiling(bps, ceiling)


@pytest.mark.parametrize(
    ("part", "expected"), [(34.19, "34 %"), (97.99, "97.9 %"), (98, "98.0 %"), (100, "100.0 %"), (0, "0 %")]
)
def test_percent(part: float, expected: str) -> None:
    """A share is never rounded up to a threshold it does not reach."""
    assert expected == words.percent(part, 100)


@pytest.mark.parametrize(
    ("ratio", "expected"),
    [(0.0, "0 %"), (0.000_16, "0.016 %"), (0.0035, "0.35 %"), (0.1251, "12.5 %"), (1.0, "100.0 %")],
)
def test_share(ratio: float, expected: str) -> None:
    """What is not nothing does not read like it."""
    assert expected == words.share(ratio)


@pytest.mark.parametrize(("number", "expected"), [(0, "0 runs"), (1, "1 run"), (3, "3 runs")])
def test_count(number: int, expected: str) -> None:
    """One run, more runs."""
    assert expected == words.count(number, "run")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("eth0", "eth0"),
        ("two words", "two words"),
        ("Gerät", "Gerät"),
        ("\x1b[2J", r"\x1b[2J"),
        ("a\nb\tc\r", r"a\x0ab\x09c\x0d"),
        ("\u202eevil", r"\u202eevil"),
        ("\u2066x\u2069", r"\u2066x\u2069"),
        ("a\u200bb", r"a\u200bb"),
        ("a\u00a0b", r"a\xa0b"),
        ("\x9b31m", r"\x9b31m"),
        ("\U000e0041", r"\U000e0041"),
        ("\udcff", r"\udcff"),
    ],
    ids=range(12),
)
def test_neutral(text: str, expected: str) -> None:
    """Nothing a host or a user says can steer the terminal or turn the reading direction."""
    assert expected == words.neutral(text)
