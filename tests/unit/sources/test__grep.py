"""What the parsers of `grep -H` share."""

import pytest

from fullrate.records.errors import FormatError
from fullrate.sources._grep import FileLine, count, cpu_mask, file_lines, grep, grep_tree, mentions


def test_lines_with_their_files() -> None:
    """Only the first colon separates; blank lines say nothing."""
    expected = [FileLine(path="/sys/a", value="1"), FileLine(path="/sys/b", value="0000:81:00.0")]
    assert expected == list(file_lines(b"/sys/a: 1\n\n/sys/b:0000:81:00.0\n"))


def test_an_empty_file_has_an_empty_value() -> None:
    """A file with one blank line is there."""
    assert [FileLine(path="/sys/a", value="")] == list(file_lines(b"/sys/a:\n"))


@pytest.mark.parametrize("payload", [b"", b"\n", b"sys/a:1\n", b"/sys/a\n"])
def test_other_lines_are_refused(payload: bytes) -> None:
    """A line without a file's name is no answer of grep -H."""
    with pytest.raises(FormatError):
        list(file_lines(payload))


def test_requests_never_speak_of_missing_files() -> None:
    """-s, for the agent takes `Permission denied` of one file as a refusal of all."""
    assert "run grep -sH '' /a /b" == grep("/a", "/b").key
    assert "run grep -rsH --include=x '' /a" == grep_tree("/a", names=("x",)).key


@pytest.mark.parametrize(
    ("text", "cpus"), [("0", ()), ("c", (2, 3)), ("00000001,00000000", (32,)), ("ff", tuple(range(8)))]
)
def test_masks(text: str, cpus: tuple[int, ...]) -> None:
    """CPUs count from the last bit."""
    assert cpus == cpu_mask(text)


@pytest.mark.parametrize("text", ["", "0-3", "x", "1,2", "-1"])
def test_no_masks(text: str) -> None:
    """Words of fewer than eight digits may stand first only."""
    with pytest.raises(FormatError):
        cpu_mask(text)


@pytest.mark.parametrize(("text", "number"), [("-1", None), ("0", 0), ("12", 12)])
def test_a_negative_number_is_none(text: str, number: int | None) -> None:
    """-1 stands for nothing."""
    assert number == count(text)


def test_recognizes_by_the_first_file() -> None:
    """A paste may begin with its command."""
    recognizes = mentions(r"/sys/[ab]")
    assert [True, True, False, False] == [
        recognizes(text) for text in ("/sys/a:1\n", "root@nas:~# grep\n/sys/b:1\n", "/sys/abc:1\n", "")
    ]
