"""Columns that a text takes on a terminal: ideographs take two, what is put over another character takes none."""

import unicodedata

from fullrate.report.words import neutral

_WIDE = {"W", "F"}  # UAX #11
_ENDS = "..."


def columns(text: str) -> int:
    """How many columns the text takes."""
    return sum(map(_columns, text))


def clipped(text: str, width: int) -> str:
    """The text, made harmless, in at most so many columns; its end is dots where it had more."""
    shown = neutral(text)
    if columns(shown) <= width:
        return shown
    room = max(0, width - len(_ENDS))
    kept = 0
    for number, char in enumerate(shown):
        kept += _columns(char)
        if kept > room:
            return (shown[:number] + _ENDS)[: max(0, width)]
    return shown


def padded(text: str, width: int) -> str:
    """The text with blanks up to so many columns."""
    return text + " " * max(0, width - columns(text))


def _columns(char: str) -> int:
    if unicodedata.combining(char) or unicodedata.category(char) in {"Mn", "Me"}:
        return 0
    return 2 if unicodedata.east_asian_width(char) in _WIDE else 1
