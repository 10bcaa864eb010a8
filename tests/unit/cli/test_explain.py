"""`fullrate explain` tells what a cause is."""

import json
from collections.abc import Callable

import pytest

from fullrate.cli.explain import explanation, find, listing
from fullrate.records.causes import CAUSES
from fullrate.records.errors import UsageError

Command = Callable[..., int]


@pytest.mark.parametrize(("name", "expected"), [("tc-shaper", "tc-shaper"), ("firewall", "netfilter-drop")])
def test_find(name: str, expected: str) -> None:
    """A cause is found by its slug and by its other names."""
    assert expected == find(name).slug


@pytest.mark.parametrize(
    ("name", "hint"), [("tc-shapr", "did you mean tc-shaper"), ("zzzz", "fullrate explain --list shows them")]
)
def test_not_found(name: str, hint: str) -> None:
    """A mistyped cause gets the nearest names, or the way to the list."""
    with pytest.raises(UsageError, match=hint):
        find(name)


def test_explanation_has_the_check_s_own_words() -> None:
    """The documentation of the check stands where people look for it."""
    text = explanation(CAUSES["tc-shaper"])
    assert ["tc-shaper: ", "acts at       qdisc", "overlimits"] == [
        part for part in ("tc-shaper: ", "acts at       qdisc", "overlimits") if part in text
    ]


def test_explanation_of_a_family() -> None:
    """A cause tells its parent, its kinds and its other names."""
    text = explanation(CAUSES["softirq-single-cpu"])
    for part in ("a kind of     cpu-bound-host", "irq-single-cpu, single-rx-queue", "also called   softirq-one-core"):
        assert part in text


def test_cause_without_a_check() -> None:
    """What is not found yet is not claimed."""
    assert explanation(CAUSES["wrong-driver"]).endswith("No check of this version finds it by itself yet.")


def test_listing_holds_every_cause() -> None:
    """The list is complete."""
    lines = listing(tuple(CAUSES.values())).splitlines()
    assert list(CAUSES) == sorted((line.split()[0] for line in lines if line.startswith("  ")), key=list(CAUSES).index)


def test_listing_has_each_stage_once() -> None:
    """Causes stand under the place where they act."""
    headings = [line for line in listing(tuple(CAUSES.values())).splitlines() if line and line[0] != " "]
    assert len(headings) == len(set(headings))


def test_listing_follows_the_path() -> None:
    """From the sending program to the receiving one."""
    lines = listing(tuple(CAUSES.values())).splitlines()
    places = [lines.index(stage) for stage in ("tool", "socket", "qdisc", "wire", "rx_ring", "backlog")]
    assert sorted(places) == places


def test_explain(fullrate: Command, capsys: pytest.CaptureFixture[str]) -> None:
    """One cause on stdout."""
    assert (0, "tc-shaper: ") == (fullrate("explain", "tc-shaper"), capsys.readouterr().out[:11])


def test_list(fullrate: Command, capsys: pytest.CaptureFixture[str]) -> None:
    """Every cause on stdout."""
    assert (0, True) == (fullrate("explain", "--list"), "  bond-balance-rr" in capsys.readouterr().out)


@pytest.mark.parametrize(("word", "expected"), [("tc-shaper", "tc-shaper"), ("--list", "link-filled")])
def test_json(fullrate: Command, capsys: pytest.CaptureFixture[str], word: str, expected: str) -> None:
    """One cause, or all of them, as a document."""
    fullrate("explain", word, "--json")
    document = json.loads(capsys.readouterr().out)
    assert expected == (document if isinstance(document, dict) else document[0])["slug"]


@pytest.mark.parametrize("words", [(), ("tc-shaper", "--list")])
def test_one_or_all(fullrate: Command, capsys: pytest.CaptureFixture[str], words: tuple[str, ...]) -> None:
    """Neither a cause nor --list, or both, is a wrong command line."""
    assert (2, True) == (fullrate("explain", *words), "name one CAUSE, or --list" in capsys.readouterr().err)
