"""Lines of `grep -H` over kernel files."""

import re

import pytest

from fullrate.records.errors import FormatError
from fullrate.records.evidence import ReadFile, query
from fullrate.sources._sysfs import FileLine, file_lines, first_path_is, greps, matches


def test_path_and_value() -> None:
    """The path ends at the first colon; the value may hold more of them."""
    assert (FileLine(path="/sys/a", value="b: c"),) == file_lines(b"/sys/a:b: c\n")


def test_empty_value() -> None:
    """A file with an empty line in it."""
    assert (FileLine(path="/sys/a", value=""),) == file_lines("/sys/a:\n")


@pytest.mark.parametrize("payload", [b"", b"\n", b"/sys/a\n", b"a:b\n"])
def test_other_bytes_are_refused(payload: bytes) -> None:
    """Nothing, no colon, no path."""
    with pytest.raises(FormatError):
        file_lines(payload)


def test_matches_whole_paths() -> None:
    """A longer path is another file."""
    lines = file_lines(b"/sys/a1:x\n/sys/a2/b:y\n")
    assert [("1", "x")] == [(match[1], value) for match, value in matches(lines, re.compile(r"/sys/a(\d)"))]


def test_grep_is_told_by_its_last_word() -> None:
    """The options before it do not matter."""
    assert greps(query("grep", "-r", "", "/sys/b", "/sys/a"), "/sys/a")


@pytest.mark.parametrize("request_", [query("grep", "", "/sys/b"), query("ls", "/sys/a"), ReadFile(path="/sys/a")])
def test_other_requests_are_no_grep_of_it(request_: ReadFile) -> None:
    """Another file, another program, a plain read."""
    assert not greps(request_, "/sys/a")


def test_first_path_tells_a_paste() -> None:
    """The prompt above it does not count."""
    assert first_path_is("$ grep . /sys/a*\n/sys/a1:x\n", re.compile(r"/sys/a\d"))


def test_another_first_path_is_not_it() -> None:
    """What comes later in the text does not count."""
    assert not first_path_is("/sys/b:x\n/sys/a1:x\n", re.compile(r"/sys/a\d"))
