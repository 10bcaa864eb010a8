"""What the parsers of `grep -H '' FILE...` share: the file's name stands before each of its lines. Binds no SOURCE.

One command reads many small files of /sys or /proc; those that do not exist it leaves out (-s: without a word).
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from fullrate.records.errors import FormatError
from fullrate.records.evidence import QueryCommand, query
from fullrate.records.parsing import whole
from fullrate.sources._text import lines_of

_MASK = re.compile(r"[0-9a-fA-F]{1,8}(,[0-9a-fA-F]{8})*")


@dataclass(frozen=True, slots=True, kw_only=True)
class FileLine:
    """One line of one file."""

    path: str
    value: str


def file_lines(payload: bytes) -> Iterator[FileLine]:
    """The lines of the files, in order. Raises FormatError on a line without a file, and when there is none."""
    lines = lines_of(payload)
    if not lines:
        raise FormatError("no line of any file")
    for line in lines:
        path, colon, value = line.partition(":")
        if not colon or not path.startswith("/"):
            raise FormatError(f"{line!r} does not begin with a file's name")
        yield FileLine(path=path, value=value.strip())


def grep(*files: str) -> QueryCommand:
    """The request for every line of those of the files that exist."""
    return query("grep", "-sH", "", *files)


def grep_tree(*folders: str, names: tuple[str, ...] = ()) -> QueryCommand:
    """The request for every line of the files below the folders, of those with one of the names when given."""
    return query("grep", "-rsH", *(f"--include={name}" for name in names), "", *folders)


def mentions(pattern: str) -> Callable[[str], bool]:
    """Whether a pasted text begins with a line of a file whose name matches the whole pattern."""
    form = re.compile(pattern)

    def recognizes(text: str) -> bool:
        return next((form.fullmatch(line.partition(":")[0]) is not None for line in lines_of(text)), False)

    return recognizes


def matched(path: str, form: re.Pattern[str]) -> re.Match[str]:
    """The parts of a file's name. Raises FormatError."""
    found = form.fullmatch(path)
    if found is None:
        raise FormatError(f"{path!r} is none of the files asked for")
    return found


def cpu_mask(text: str) -> tuple[int, ...]:
    """The CPUs of a mask as the kernel prints it (`00000000,0000000c`). Raises FormatError."""
    if not _MASK.fullmatch(text):
        raise FormatError(f"{text!r} is no CPU mask")
    bits = int(text.replace(",", ""), 16)
    return tuple(cpu for cpu in range(bits.bit_length()) if bits >> cpu & 1)


def count(text: str) -> int | None:
    """A whole number; None for the negative one that stands for none. Raises FormatError."""
    number = whole(text)
    return number if number >= 0 else None
