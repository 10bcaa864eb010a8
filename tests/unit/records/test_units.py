"""Rates as people write them, and the one conversion from bytes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fullrate.records.units import bits_per_second, parse_rate


@pytest.mark.parametrize(
    ("text", "rate"),
    [
        ("1G", 1e9),
        ("1g", 1e9),
        ("10G", 1e10),
        ("2.5G", 2.5e9),
        ("100M", 1e8),
        ("100m", 1e8),
        ("64k", 64e3),
        ("64K", 64e3),
        ("1T", 1e12),
        ("1000", 1e3),
        ("10Gbit", 1e10),
        ("10Gbit/s", 1e10),
        ("10 Gbit/s", 1e10),
        ("10Gbps", 1e10),
        ("300bit/s", 300.0),
        (" 1G ", 1e9),
        ("0.5G", 5e8),
    ],
)
def test_rate_as_people_write_it(text: str, rate: float) -> None:
    """Prefixes are powers of 1000; M is never milli."""
    assert rate == parse_rate(text)


@pytest.mark.parametrize(
    "text",
    ["", "G", "fast", "-1G", "+1G", "1e9", "1,5G", "1.G", ".5G", "1GB", "1GiB", "1GB/s", "1G/s", "nan", "inf", "1 2G"],
)
def test_what_is_no_rate_is_refused(text: str) -> None:
    """The message shows how to write one; bytes are not taken for bits."""
    with pytest.raises(ValueError, match=r"is not a rate; write it like 1G, 2\.5G or 100M"):
        parse_rate(text)


@pytest.mark.parametrize("text", ["0", "0G", "0.0M"])
def test_rate_of_zero_is_refused(text: str) -> None:
    """No link has it, and shares of it cannot be told."""
    with pytest.raises(ValueError, match="is not a rate"):
        parse_rate(text)


def test_rate_beyond_all_numbers_is_refused() -> None:
    """400 digits make no finite number."""
    with pytest.raises(ValueError, match="is not a rate"):
        parse_rate("9" * 400)


def test_digits_of_another_script_are_refused() -> None:
    """A rate is typed in ASCII."""
    with pytest.raises(ValueError, match="is not a rate"):
        parse_rate("\N{ARABIC-INDIC DIGIT ONE}G")


@given(st.text(max_size=12))
def test_any_text_is_a_rate_or_refused(text: str) -> None:
    """Nothing else happens, and a rate is more than zero."""
    try:
        rate = parse_rate(text)
    except ValueError:
        return
    assert rate > 0


@pytest.mark.parametrize(
    ("size", "elapsed", "rate"), [(125, 1.0, 1000.0), (1_250_000_000, 10.0, 1e9), (0, 2.0, 0.0), (1, 0.5, 16.0)]
)
def test_bytes_become_bits(size: int, elapsed: float, rate: float) -> None:
    """Eight of them a byte."""
    assert rate == bits_per_second(size, elapsed)
