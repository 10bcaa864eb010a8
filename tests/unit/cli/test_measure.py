"""`fullrate measure` hands its options on and prints the numbers."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fullrate.cli.progress import Views
from fullrate.diagnose.numbers import only_numbers
from fullrate.records.codec import decode_run
from fullrate.records.errors import BundleError
from fullrate.records.run import Run
from fullrate.records.unfinished import Interrupted, NotWritten

Command = Callable[..., int]
Given = dict[str, Any]
FULL = decode_run((Path(__file__).parents[2] / "fixtures/runs/full.json").read_bytes())


@pytest.fixture
def given(monkeypatch: pytest.MonkeyPatch, not_full: Run) -> Given:
    """What the library function was given; it answers with a link that is not full."""
    kept: Given = {}

    def measure(target: str, **options: object) -> Run:
        kept.update(options, target=target)
        return only_numbers(not_full)

    monkeypatch.setattr("fullrate.workflow.measure", measure)
    return kept


def test_text_and_exit_code(fullrate: Command, given: Given, capsys: pytest.CaptureFixture[str]) -> None:
    """The answer, and the exit code of check."""
    code = fullrate("measure", "root@nas")
    printed = capsys.readouterr()
    assert (1, "root@nas", "") == (code, given["target"], printed.err)
    assert "NOT FULL" in printed.out
    assert "why was not looked for" in " ".join(printed.out.split())


def test_the_text_holds_no_more(fullrate: Command, given: Given, capsys: pytest.CaptureFixture[str]) -> None:
    """No budget, no path, no finding, no next step."""
    fullrate("measure", given.get("target", "nas"))
    printed = capsys.readouterr().out
    assert not [words for words in ("Where ", "The path", "cause", "seen", "Next:", "Not seen") if words in printed]


def test_json(fullrate: Command, given: Given, capsys: pytest.CaptureFixture[str]) -> None:
    """The document of check, with measurements and without a cause."""
    fullrate("measure", "nas", "--json")
    document = json.loads(capsys.readouterr().out)
    assert ("fullrate/run/1", None, []) == (document["schema"], document["verdict"]["cause"], document["findings"])
    assert [True, "nas"] == [bool(document["measurements"]), given["target"]]


@pytest.mark.parametrize(
    ("words", "name", "expected"),
    [
        (("--from", "netns:a"), "near", "netns:a"),
        (("--interface", "eth1"), "interface", "eth1"),
        (("--bind", "192.0.2.1"), "bind", "192.0.2.1"),
        (("-6",), "family", 6),
        (("--udp", "900M"), "udp", 9e8),
        (("--link-speed", "2.5G"), "link_speed", 2.5e9),
        (("--port", "6000-6001"), "ports", (6000, 6001)),
        (("--allow-load",), "allow_load", True),
        (("--max-rate", "500M"), "max_rate", 5e8),
        (("--max-seconds", "5"), "max_seconds", 5),
        (("-o", "run.fullrate"), "output", Path("run.fullrate")),
        (("--profile", "100g"), "profile", "100g"),
        (("--test", "tcp", "--test", "udp,rate=1G"), "tests", ("tcp", "udp,rate=1G")),
        (("--repeat", "3"), "repeat", 3),
        (("--disk", "/srv", "--disk", "near:/tmp"), "disks", ("/srv", "near:/tmp")),
    ],
)
def test_options(fullrate: Command, given: Given, words: tuple[str, ...], name: str, expected: object) -> None:
    """They are those of check, and reach the library."""
    fullrate("measure", "nas", *words)
    assert expected == given[name]


def test_an_unknown_profile(fullrate: Command, given: Given, capsys: pytest.CaptureFixture[str]) -> None:
    """The profiles there are."""
    assert (2, {}) == (fullrate("measure", "nas", "--profile", "fast"), given)
    assert "'quick', 'full', 'scaling', 'soak', 'pps', 'latency', '100g'" in capsys.readouterr().err


def test_no_target(fullrate: Command, given: Given, capsys: pytest.CaptureFixture[str]) -> None:
    """There is nothing to measure without one."""
    assert (2, {}) == (fullrate("measure"), given)
    assert "name a TARGET" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("make", "expected"),
    [(Interrupted, (130, "stopped")), (lambda run: NotWritten(BundleError("no room"), run), (3, "no room"))],
)
def test_what_goes_wrong_has_the_codes_of_check(
    fullrate: Command,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    make: Callable[[Run], Exception],
    expected: tuple[int, str],
) -> None:
    """A measurement that was stopped, or could not be written, says so on stderr, and is printed."""

    def measure(*_: object, **__: object) -> Run:
        raise make(FULL)

    monkeypatch.setattr("fullrate.workflow.measure", measure)
    code, printed = fullrate("measure", "nas"), capfd.readouterr()
    assert (expected[0], True, True) == (code, expected[1] in printed.err, FULL.id in printed.out)


def test_events(fullrate: Command, given: Given, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The file is there, empty until something happens, and what is printed is the answer alone."""
    path = tmp_path / "events"
    assert 1 == fullrate("measure", "nas", "--json", "--events", str(path))
    assert (b"", Views) == (path.read_bytes(), type(given["progress"]))
    assert "fullrate/run/1" == json.loads(capsys.readouterr().out)["schema"]


def test_events_that_cannot_be_written(fullrate: Command, given: Given, tmp_path: Path) -> None:
    """Is a wrong command line: nothing was sent."""
    assert 2 == fullrate("measure", "nas", "--events", str(tmp_path))
    assert {} == given
