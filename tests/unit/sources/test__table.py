"""The tables of sysstat."""

import pytest

from fullrate.records.errors import FormatError
from fullrate.sources._table import row_of


@pytest.mark.parametrize(
    ("line", "row"),
    [
        ("12:00:01 AM  eth0  1.50  2,25", ("eth0", (1.5, 2.25))),
        ("Average: all 0.00", ("all", (0.0,))),
        ("1.00 2.00", ("1.00", (2.0,))),
        ("eth0 1.50 x", ("", ())),
        ("eth0 1", ("", ())),
        ("1.50", ("", ())),
        ("", ("", ())),
    ],
)
def test_row(line: str, row: tuple[str, tuple[float, ...]]) -> None:
    """The name is the word before the numbers; whole numbers are none of these."""
    assert row == row_of(line)


def test_row_with_no_number_of_a_kernel() -> None:
    """It is refused."""
    with pytest.raises(FormatError):
        row_of(f"eth0 {'9' * 400}.0")
