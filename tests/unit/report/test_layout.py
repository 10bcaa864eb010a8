"""Lines, columns and colour."""

import pytest

from fullrate.report.layout import BLANK, Cell, Line, Style, join, paragraph, row, verbatim


def texts(lines: list[Line]) -> list[str]:
    """The lines without their style."""
    return [line.text for line in lines]


def test_paragraph_is_wrapped_with_its_indents() -> None:
    """The first line has its own indent, the others theirs."""
    expected = ["1 one two", "  three", "  four"]
    assert expected == texts(paragraph("one two three four", 9, first="1 ", rest="  "))


def test_paragraph_of_nothing() -> None:
    """No text gives no line."""
    assert paragraph("", 80) == []


def test_a_word_longer_than_the_line_is_broken() -> None:
    """Nothing reaches beyond the width."""
    assert texts(paragraph("x" * 8, 5)) == ["xxxxx", "xxx"]


def test_paragraph_is_harmless() -> None:
    """A foreign line break does not make a line."""
    assert texts(paragraph("a\nb", 80)) == [r"a\x0ab"]


def test_verbatim_is_never_wrapped() -> None:
    """A command stays one line, to be copied."""
    assert verbatim("x " * 100, first="  ").text == "  " + "x " * 100


def test_verbatim_is_harmless() -> None:
    """Nor can a command hold an escape."""
    expected = r"ip link set \x1b[31m"
    assert expected == verbatim("ip link set \x1b[31m", first="").text


def test_row_places_its_cells() -> None:
    """Columns are two spaces apart; numbers stand at the right."""
    cells = [Cell(text="tcp", width=5), Cell(text="31 %", width=6, right=True), Cell(text="x", width=3)]
    assert texts(row(cells)) == ["tcp      31 %  x"]


def test_row_wraps_in_its_columns() -> None:
    """A long cell goes on below itself and the others stay empty there."""
    cells = [Cell(text="one two", width=4), Cell(text="a", width=2)]
    assert texts(row(cells)) == ["one   a", "two"]


def test_row_is_harmless() -> None:
    """A cell cannot hold an escape."""
    assert texts(row([Cell(text="\a", width=9)])) == [r"\x07"]


def test_without_colour() -> None:
    """Plain text holds no escape whatever the styles are."""
    expected = "a\n\nb\n"
    assert expected == join([Line(text="a", style=Style.BAD), BLANK, Line(text="b")], colour=False)


def test_with_colour() -> None:
    """A styled line is painted whole and ends its paint."""
    expected = "\x1b[1;31ma\x1b[0m\n"
    assert expected == join([Line(text="a", style=Style.BAD)], colour=True)


@pytest.mark.parametrize("line", [BLANK, Line(text="", style=Style.GOOD), Line(text="plain")])
def test_nothing_to_paint(line: Line) -> None:
    """Plain and empty lines are left as they are."""
    assert f"{line.text}\n" == join([line], colour=True)
