"""stdout holds the result and nothing else."""

import json
import os
import sys
from dataclasses import dataclass

import pytest

from fullrate.cli import output
from fullrate.records.causes import CAUSES
from fullrate.records.run import Run
from fullrate.report import render


@dataclass
class Terminal:
    """A stdout that says whether it is a terminal, and may have lost its reader."""

    tty: bool = True
    gone: bool = False

    def isatty(self) -> bool:
        """Whether it is a terminal."""
        return self.tty

    def write(self, _: str) -> int:
        """Fails when the reader is gone."""
        if self.gone:
            raise BrokenPipeError
        return 0

    def flush(self) -> None:
        """Nothing to do."""

    def fileno(self) -> int:
        """A descriptor that tests may lose."""
        return 77


def test_text(not_full: Run, capsys: pytest.CaptureFixture[str]) -> None:
    """In a pipe the text has 80 columns and no colour."""
    assert (1, render(not_full, 80)) == (output.show_run(not_full, as_json=False), capsys.readouterr().out)


def test_json(full: Run, capsys: pytest.CaptureFixture[str]) -> None:
    """One document, one line."""
    code = output.show_run(full, as_json=True)
    printed = capsys.readouterr().out
    assert (0, full.id, 1) == (code, json.loads(printed)["id"], printed.count("\n"))


def test_records(capsys: pytest.CaptureFixture[str]) -> None:
    """Any record can be a document."""
    output.show_record((CAUSES["tc-shaper"],))
    expected = "tc-shaper"
    assert expected == json.loads(capsys.readouterr().out)[0]["slug"]


@pytest.mark.parametrize("text", ["a", "a\n"])
def test_one_newline_at_the_end(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Output ends its line once."""
    output.emit(text)
    expected = "a\n"
    assert expected == capsys.readouterr().out


def test_a_reader_who_left_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """`fullrate ... | head` ends quietly: the rest goes to the null device."""
    moved: list[int] = []
    monkeypatch.setattr(sys, "stdout", Terminal(gone=True))
    monkeypatch.setattr(os, "dup2", lambda _, to: moved.append(to))
    output.emit("x")
    assert [77] == moved


def test_complaint(capsys: pytest.CaptureFixture[str]) -> None:
    """A complaint is one harmless line on stderr."""
    output.complain("a\nb")
    assert ("", "fullrate: a\\x0ab\n") == capsys.readouterr()


@pytest.mark.parametrize(
    ("tty", "variables", "expected"),
    [
        (True, {}, True),
        (False, {}, False),
        (True, {"NO_COLOR": "1"}, False),
        (True, {"NO_COLOR": ""}, True),
        (True, {"TERM": "dumb"}, False),
    ],
)
def test_colour(monkeypatch: pytest.MonkeyPatch, tty: bool, variables: dict[str, str], expected: bool) -> None:  # noqa: FBT001 - parameters
    """Colour is for terminals whose user did not say no."""
    monkeypatch.setattr(sys, "stdout", Terminal(tty=tty))
    for name, value in ({"NO_COLOR": "", "TERM": "xterm"} | variables).items():
        monkeypatch.setenv(name, value)
    assert expected is output.wants_colour()


@pytest.mark.parametrize(("tty", "columns", "expected"), [(True, "70", 70), (True, "300", 110), (False, "70", 80)])
def test_width(monkeypatch: pytest.MonkeyPatch, tty: bool, columns: str, expected: int) -> None:  # noqa: FBT001 - a parameter
    """A terminal is filled within reason; a pipe gets 80 columns."""
    monkeypatch.setattr(sys, "stdout", Terminal(tty=tty))
    monkeypatch.setenv("COLUMNS", columns)
    assert expected == output.terminal_width()
