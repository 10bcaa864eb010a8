"""The example reports: a page shows what the command prints today, on the input that stands beside it."""

import importlib
from pathlib import Path

import pytest

from examples import FOLDER, commands, inputs, made, pages

each_page = pytest.mark.parametrize("page", pages(), ids=[page.stem for page in pages()])


@pytest.fixture(autouse=True)
def _quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    """The command leaves the test's own signals alone."""
    monkeypatch.setattr(importlib.import_module("fullrate.cli.main"), "_end_in_order", lambda: None)


def test_there_are_four() -> None:
    """A pasted post, an open one, a recorded check, and counters read twice."""
    assert ["1-forum-post", "2-undecided", "3-recorded-check", "4-before-and-after"] == [page.stem for page in pages()]


@each_page
def test_it_shows_what_is_printed_today(page: Path) -> None:
    """Input and answer, word for word; `python tests/examples.py` writes them anew."""
    text = page.read_text()
    assert made(text) == text


@each_page
def test_it_shows_a_diagnosis(page: Path) -> None:
    """A block that is not found would hold nothing."""
    assert all(command.startswith("fullrate diagnose ") for command in commands(page.read_text()))
    assert commands(page.read_text())


def test_every_input_is_shown() -> None:
    """Nothing stands beside the pages that no page needs."""
    shown = {name for page in pages() for name in inputs(page.read_text())}
    assert shown == {str(path.relative_to(FOLDER)) for path in FOLDER.rglob("*.txt")}
