"""The manual page holds what the command line holds."""

import importlib
from collections.abc import Callable

import pytest
import rich_click as click

from fullrate.cli import app
from fullrate.cli.exits import MEANINGS
from fullrate.cli.manual import page
from fullrate.version import __version__

Command = Callable[..., int]
PAGE = page(app)
LINES = PAGE.splitlines()


@click.group()
def tool() -> None:
    r"""Do things.

    With a back\slash and a dash-ed word,
    on two lines.
    """


@tool.command()
@click.argument("thing")
@click.option("-n", "--number", metavar="N", default=3, show_default=True, help=".5 would be too few.")
def make(thing: str, number: int) -> None:
    """Make a THING."""


@tool.command(hidden=True)
def secret() -> None:
    """Say nothing."""


MADE = page(tool).splitlines()


def section(lines: list[str], title: str) -> list[str]:
    """The lines of one section."""
    start = lines.index(f'.SH "{title}"') + 1
    rest = [number for number, line in enumerate(lines[start:]) if line.startswith(".SH")]
    return lines[start : start + rest[0]] if rest else lines[start:]


def test_it_is_printed(fullrate: Command, capsys: pytest.CaptureFixture[str]) -> None:
    """By the verb."""
    assert (0, PAGE) == (fullrate("manual"), capsys.readouterr().out)


def test_the_sections_stand_in_the_usual_order() -> None:
    """As man-pages(7) has them."""
    expected = ["NAME", "SYNOPSIS", "DESCRIPTION", "VERBS", "TARGETS", "EXIT STATUS"]
    assert expected == [line[5:-1] for line in LINES if line.startswith(".SH")]


def test_the_title_tells_the_version() -> None:
    """And the section of the manual."""
    assert f'.TH FULLRATE 1 "" "fullrate {__version__}" "User Commands"' in LINES


def test_the_name_is_one_sentence() -> None:
    """So that whatis(1) finds it."""
    assert [r"fullrate \- Find out why a Linux host does not fill its network link"] == section(LINES, "NAME")


@pytest.mark.parametrize("verb", importlib.import_module("fullrate.cli.main").VERBS)
def test_every_verb_is_described(verb: str) -> None:
    """Each under its own heading."""
    assert [line for line in LINES if line.startswith(f'.SS "fullrate {verb} ')]


def test_the_verbs_of_a_group_follow_it() -> None:
    """By their whole name."""
    assert [line for line in LINES if line.startswith('.SS "fullrate lab break ')]


@pytest.mark.parametrize("code", MEANINGS)
def test_every_exit_code_is_explained(code: int) -> None:
    """By its meaning."""
    lines = section(LINES, "EXIT STATUS")
    assert MEANINGS[code].replace("-", r"\-") == lines[lines.index(rf"\fB{code}\fR") + 1]


def test_a_verb_tells_its_usage() -> None:
    """With its arguments."""
    assert '.SS "fullrate make [OPTIONS] THING"' in MADE


def test_an_option_tells_its_names_its_help_and_its_default() -> None:
    """As --help does; a line that begins with a full stop is no request."""
    at = MADE.index(r"\fB\-n, \-\-number N\fR")
    assert [".TP", r"\&.5 would be too few.  [default: 3]"] == [MADE[at - 1], MADE[at + 1]]


def test_a_paragraph_is_one_line() -> None:
    """Backslashes and dashes are printed as they are."""
    assert r"With a back\eslash and a dash\-ed word, on two lines." in section(MADE, "DESCRIPTION")


def test_help_itself_is_not_listed() -> None:
    """Every verb has it."""
    assert not [line for line in LINES if line.startswith(r"\fB") and r"\-\-help" in line]


def test_what_is_hidden_stays_hidden() -> None:
    """A hidden verb is not in the manual."""
    assert not [line for line in MADE if "secret" in line]


def test_only_known_requests_are_used() -> None:
    """Every line that begins with a full stop is one of man(7)."""
    known = {r".\"", ".TH", ".SH", ".SS", ".PP", ".TP", ".B"}
    assert {line.split()[0] for line in LINES + MADE if line.startswith((".", "'"))} <= known


def test_every_character_is_plain() -> None:
    """Any man(1) can show it."""
    assert PAGE.isascii()
