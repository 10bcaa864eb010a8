"""Lines of `grep -H` over kernel files: a path, a colon, one line of the file. Binds no SOURCE."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from fullrate.records.errors import FormatError
from fullrate.records.evidence import QueryCommand, Request
from fullrate.sources._text import lines_of


@dataclass(frozen=True, slots=True, kw_only=True)
class FileLine:
    """One line of one file."""

    path: str
    value: str


def file_lines(payload: bytes | str) -> tuple[FileLine, ...]:
    """Every line with its file. Raises FormatError on a line without, and when there is none."""
    found = tuple(map(_file_line, lines_of(payload)))
    if not found:
        raise FormatError("no line of a file in it")
    return found


def _file_line(line: str) -> FileLine:
    path, colon, value = line.partition(":")
    if not colon or not path.startswith("/"):
        raise FormatError(f"{line[:80]!r} is not `FILE:line`")
    return FileLine(path=path, value=value.strip())


def matches(lines: tuple[FileLine, ...], path: re.Pattern[str]) -> Iterator[tuple[re.Match[str], str]]:
    """The lines of the files whose whole path has the form, with what follows the colon."""
    for line in lines:
        match = path.fullmatch(line.path)
        if match:
            yield match, line.value


def greps(request: Request, path: str) -> bool:
    """Whether a request is a grep whose last file or folder is `path`."""
    return isinstance(request, QueryCommand) and request.argv[:1] == ("grep",) and request.argv[-1] == path


def first_path_is(text: str, path: re.Pattern[str]) -> bool:
    """Whether the first line that says something is of a file whose path has the form."""
    first = next(iter(lines_of(text)), "")
    return path.fullmatch(first.partition(":")[0]) is not None
