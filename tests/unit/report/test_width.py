"""A line must not wrap on a terminal, whatever characters are in it."""

import pytest

from fullrate.report.width import clipped, columns, padded


@pytest.mark.parametrize(
    ("text", "expected"), [("", 0), ("eth0", 4), ("主机", 4), ("e\u0301", 1), ("▁█", 2), ("\uff8a", 1), ("\uff21", 2)]
)
def test_columns(text: str, expected: int) -> None:
    """Ideographs and full forms take two, a combining accent none (UAX #11)."""
    assert expected == columns(text)


@pytest.mark.parametrize(
    ("text", "width", "expected"),
    [
        ("eth0", 4, "eth0"),
        ("a longer name", 8, "a lon..."),
        ("主机主机", 7, "主机..."),
        ("主机主机", 6, "主..."),
        ("abcdef", 2, ".."),
        ("abcdef", 0, ""),
        ("abcdef", -1, ""),
        ("\x1b[2J", 20, "\\x1b[2J"),
    ],
)
def test_clipped(text: str, width: int, expected: str) -> None:
    """Never wider, and it shows that something is missing; control characters are made visible."""
    assert expected == clipped(text, width)


@pytest.mark.parametrize(("text", "expected"), [("a", "a   "), ("主", "主  "), ("longer", "longer")])
def test_padded(text: str, expected: str) -> None:
    """Columns, not characters."""
    assert expected == padded(text, 4)
