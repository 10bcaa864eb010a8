"""`fullrate explain` tells what a cause is."""

import json
from collections.abc import Callable

import pytest

from fullrate.records.causes import CAUSES

Command = Callable[..., int]


def test_explain(fullrate: Command, capsys: pytest.CaptureFixture[str]) -> None:
    """One cause on stdout."""
    assert (0, "tc-shaper: ") == (fullrate("explain", "tc-shaper"), capsys.readouterr().out[:11])


def test_list(fullrate: Command, capsys: pytest.CaptureFixture[str]) -> None:
    """Every cause on stdout."""
    assert (0, True) == (fullrate("explain", "--list"), " bond-balance-rr " in capsys.readouterr().out)


@pytest.mark.parametrize(("word", "expected"), [("firewall", ["netfilter-drop"]), ("--list", list(CAUSES))])
def test_json(fullrate: Command, capsys: pytest.CaptureFixture[str], word: str, expected: list[str]) -> None:
    """One cause, or all of them, in the same document."""
    fullrate("explain", word, "--json")
    document = json.loads(capsys.readouterr().out)
    assert ("fullrate/explain/1", expected) == (document["schema"], [told["cause"] for told in document["causes"]])


@pytest.mark.parametrize("words", [(), ("tc-shaper", "--list")])
def test_one_or_all(fullrate: Command, capsys: pytest.CaptureFixture[str], words: tuple[str, ...]) -> None:
    """Neither a cause nor --list, or both, is a wrong command line."""
    assert (2, True) == (fullrate("explain", *words), "name one CAUSE, or --list" in capsys.readouterr().err)


def test_an_unknown_cause(fullrate: Command, capsys: pytest.CaptureFixture[str]) -> None:
    """Is a wrong command line too, with the nearest name."""
    assert (2, True) == (fullrate("explain", "tc-shapr"), "did you mean tc-shaper?" in capsys.readouterr().err)
