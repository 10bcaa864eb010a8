"""`fullrate collect` hands its options on and prints what comes back."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from fullrate.records.errors import BundleError
from fullrate.records.progress import Progress
from fullrate.records.run import Run
from fullrate.records.target import PLAIN, Access
from fullrate.records.unfinished import NotWritten

Command = Callable[..., int]
Call = tuple[str | None, str | None, Access, Path | None, bool]


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch, full: Run) -> list[Call]:
    """What the library function was given."""
    kept: list[Call] = []

    def collect(  # noqa: PLR0913 - as the verb
        target: str | None, *, near: str | None, access: Access, output: Path | None, redact: bool, progress: Progress
    ) -> Run:
        progress.say("reading")
        kept.append((target, near, access, output, redact))
        return full

    monkeypatch.setattr("fullrate.workflow.collect", collect)
    return kept


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ((), (None, None, PLAIN, None, False)),
        (("--with", "nas", "--sudo"), ("nas", None, Access(sudo=True), None, False)),
        (
            ("--with", "netns:b", "--from", "netns:a", "-o", "x.fullrate"),
            ("netns:b", "netns:a", PLAIN, Path("x.fullrate"), False),
        ),
        (("-o", "x.fullrate", "--redact"), (None, None, PLAIN, Path("x.fullrate"), True)),
    ],
)
def test_options(fullrate: Command, calls: list[Call], words: tuple[str, ...], expected: Call) -> None:
    """Each option reaches the library."""
    assert (0, [expected]) == (fullrate("collect", *words), calls)


def test_json(fullrate: Command, calls: list[Call], capsys: pytest.CaptureFixture[str], full: Run) -> None:
    """One document on stdout, and nothing on stderr without a terminal."""
    fullrate("collect", "--json")
    printed = capsys.readouterr()
    assert (full.id, "", 1) == (json.loads(printed.out)["id"], printed.err, len(calls))


def test_a_file_that_cannot_be_written(
    fullrate: Command, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], full: Run
) -> None:
    """The facts are shown all the same."""

    def collect(*_: object, **__: object) -> Run:
        raise NotWritten(BundleError("cannot write x"), full)

    monkeypatch.setattr("fullrate.workflow.collect", collect)
    assert (3, True) == (fullrate("collect"), full.id in capsys.readouterr().out)
