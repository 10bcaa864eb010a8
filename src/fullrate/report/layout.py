"""Lines of text: the only place where a report's words become output, so every foreign string is made harmless here."""

import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import zip_longest

from fullrate.report.words import neutral


class Style(StrEnum):
    """What a line is for; the value is its ANSI attribute."""

    PLAIN = ""
    HEADING = "1"
    GOOD = "1;32"
    BAD = "1;31"
    OPEN = "1;33"
    QUIET = "2"


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One finished line, without control characters."""

    text: str
    style: Style = Style.PLAIN


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """A text in a column so wide; `right`: aligned to the right."""

    text: str
    width: int
    right: bool = False


BLANK = Line(text="")


def paragraph(text: str, width: int, *, first: str = "", rest: str = "", style: Style = Style.PLAIN) -> list[Line]:
    """The text wrapped at `width`; `first` and `rest` go before its first and its other lines."""
    lines = textwrap.wrap(neutral(text), width, initial_indent=first, subsequent_indent=rest, break_on_hyphens=False)
    return [Line(text=line, style=style) for line in lines]


def verbatim(text: str, *, first: str) -> Line:
    """The text on one line however long, because it is there to be copied."""
    return Line(text=first + neutral(text))


def row(cells: Sequence[Cell], *, style: Style = Style.PLAIN) -> list[Line]:
    """Columns side by side, two spaces apart, each wrapped in its own width."""
    columns = [textwrap.wrap(neutral(cell.text), cell.width, break_on_hyphens=False) for cell in cells]
    return [
        Line(text="  ".join(map(_place, cells, parts)).rstrip(), style=style)
        for parts in zip_longest(*columns, fillvalue="")
    ]


def _place(cell: Cell, part: str) -> str:
    return part.rjust(cell.width) if cell.right else part.ljust(cell.width)


def join(lines: Iterable[Line], *, colour: bool) -> str:
    """The finished text, with ANSI colour when asked; it ends with a newline."""
    return "".join(f"{_paint(line) if colour else line.text}\n" for line in lines)


def _paint(line: Line) -> str:
    return f"\x1b[{line.style}m{line.text}\x1b[0m" if line.style and line.text else line.text
