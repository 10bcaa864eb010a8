"""What the parsers of tool output share."""

import pytest

from fullrate.records.errors import FormatError
from fullrate.records.evidence import ReadFile
from fullrate.sources._text import (
    Section,
    asks_about,
    first_line,
    limits,
    lines_of,
    number,
    section,
    split_pair,
    starts_with,
    word_after,
)
from tool_output import ran


@pytest.mark.parametrize(
    "prompt",
    [
        "# ethtool eth0",
        "$ sudo ethtool eth0",
        "root@nas:~# ethtool eth0",
        "me@pc ~ $ ethtool eth0",
        "[me@pc ~]$ ethtool x",
    ],
)
def test_prompt_above_the_answer_is_left_out(prompt: str) -> None:
    """The pasted command is no part of its answer."""
    assert ("Speed: 1",) == lines_of(f"{prompt}\nSpeed: 1\n")


def test_blank_lines_are_left_out_and_indentation_kept() -> None:
    """Lines keep their beginning, for it tells what belongs to what."""
    assert ("a:", "\tb: 1") == lines_of(b"\na:   \n\n\tb: 1\n")


@pytest.mark.parametrize("mark", ["...", "  [..]", "\u2026", "<snip>", "(cut)", "... snip ...", ".....\t"])
def test_marks_of_lines_left_out_are_no_lines(mark: str) -> None:
    """Whether it is a paste or an answer."""
    text = f"a\n{mark}\nb...c\n"
    assert (("a", "b...c"), ("a", "b...c")) == (lines_of(text), lines_of(text.encode()))


def test_bytes_that_are_no_text_do_not_raise() -> None:
    """A firmware's odd byte leaves the rest readable."""
    assert ("version: \ufffd1",) == lines_of(b"version: \xff1\n")


def test_first_line_of_nothing() -> None:
    """Nothing has an empty first line."""
    assert "" == first_line("\n \n")


def test_title_below_a_prompt() -> None:
    """A text begins with its title when only the command stands above it."""
    assert starts_with("Settings for")("# ethtool x\nSettings for x:\n")


@pytest.mark.parametrize("command", ["ip link", "ip -s link show", "ip -json -details link show dev eth0"])
def test_options_do_not_hide_the_object(command: str) -> None:
    """A command is known by its object, whatever its options."""
    assert asks_about("ip", "link")(ran(command))


@pytest.mark.parametrize("command", ["ip", "ip addr", "tc link", "ip -s"])
def test_other_objects_are_others(command: str) -> None:
    """Another object or program is not meant."""
    assert not asks_about("ip", "link")(ran(command))


def test_file_is_no_command() -> None:
    """A read file runs nothing and names nothing."""
    request = ReadFile(path="/proc/link")
    assert (False, "") == (asks_about("ip", "link")(request), word_after(request, "dev"))


def test_word_after_another() -> None:
    """The link of a tc request stands behind dev."""
    assert "eth0" == word_after(ran("tc qdisc show dev eth0 root"), "dev")


def test_section_with_its_title() -> None:
    """The title names the link and is no line of the answer."""
    expected = Section(subject="eth3", lines=("RX: 1",), headed=True)
    assert expected == section(ran("ethtool -g other"), b"Ring parameters for eth3:\nRX: 1\n", "Ring parameters for ")


def test_section_without_its_title() -> None:
    """A file's section without title is about nothing known."""
    expected = Section(subject="", lines=("RX: 1",))
    assert expected == section(ReadFile(path="paste"), b"RX: 1\n", "Ring parameters for ")


def test_pair_is_split_at_the_first_colon() -> None:
    """Values may hold colons."""
    assert ("bus-info", "0000:81:00.0") == split_pair("  bus-info: 0000:81:00.0")


@pytest.mark.parametrize(("value", "expected"), [("n/a", None), ("0", 0), ("4096", 4096)])
def test_numbers(value: str, expected: int | None) -> None:
    """A value not available is none, zero is zero."""
    assert expected == number(value)


@pytest.mark.parametrize("value", ["", "-1", "1.5", "on"])
def test_other_values_are_no_numbers(value: str) -> None:
    """What is no whole number is refused."""
    with pytest.raises(FormatError):
        number(value)


def test_tables_with_different_rows_are_refused() -> None:
    """A maximum without its current value means the text is cut short."""
    with pytest.raises(FormatError):
        limits(("Pre-set maximums:", "RX: 8", "TX: 8", "Current hardware settings:", "RX: 4"))
