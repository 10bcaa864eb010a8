"""What the tables of sysstat share: a name, then numbers to the end of the line. Binds no SOURCE."""

import re
from itertools import takewhile

from fullrate.records.parsing import decimal

_NUMBER = re.compile(r"[0-9]+[.,][0-9]+")  # with a comma where the locale has one


def row_of(line: str) -> tuple[str, tuple[float, ...]]:
    """The numbers that end a line, and the word before them; empty when it ends with none. Raises FormatError."""
    words = line.split()
    numbers = sum(1 for _ in takewhile(_NUMBER.fullmatch, reversed(words[1:])))
    if not numbers:
        return "", ()
    return words[-numbers - 1], tuple(decimal(word.replace(",", ".")) for word in words[-numbers:])
