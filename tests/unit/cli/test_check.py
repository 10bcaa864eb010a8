"""`fullrate check` hands its options on and prints what comes back."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fullrate.cli.progress import Views
from fullrate.records.errors import BundleError
from fullrate.records.run import Run
from fullrate.records.target import PLAIN, Access
from fullrate.records.unfinished import Interrupted, NotWritten

Command = Callable[..., int]


class Workflow:
    """Stands in for workflow.check: keeps what it was given and answers with a run or an error."""

    def __init__(self, answer: Run | Exception) -> None:
        """Answer with this."""
        self.answer = answer
        self.targets: list[str] = []
        self.given: dict[str, Any] = {}

    def __call__(self, target: str, **given: object) -> Run:
        """One check."""
        self.targets.append(target)
        self.given = given
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


@pytest.fixture
def workflow(monkeypatch: pytest.MonkeyPatch, not_full: Run) -> Workflow:
    """The library function, replaced."""
    fake = Workflow(not_full)
    monkeypatch.setattr("fullrate.workflow.check", fake)
    return fake


def test_text_and_exit_code(fullrate: Command, workflow: Workflow, capsys: pytest.CaptureFixture[str]) -> None:
    """The report on stdout, nothing on stderr, the verdict as exit code."""
    code = fullrate("check", "root@nas")
    printed = capsys.readouterr()
    assert (1, True, "", ["root@nas"]) == (code, "NOT FULL" in printed.out, printed.err, workflow.targets)


def test_json(fullrate: Command, workflow: Workflow, capsys: pytest.CaptureFixture[str]) -> None:
    """--json prints one document."""
    assert (1, workflow.targets) == (fullrate("check", "nas", "--json"), ["nas"])
    assert "fullrate/run/1" == json.loads(capsys.readouterr().out)["schema"]


@pytest.mark.parametrize(
    ("words", "name", "expected"),
    [
        ((), "near", None),
        ((), "access", PLAIN),
        (("--sudo", "--agent", "/opt/a.pyz"), "access", Access(sudo=True, agent="/opt/a.pyz")),
        (("--from", "netns:a"), "near", "netns:a"),
        ((), "interface", None),
        (("--interface", "eth1"), "interface", "eth1"),
        (("--bind", "192.0.2.1"), "bind", "192.0.2.1"),
        ((), "family", None),
        (("-4",), "family", 4),
        (("-6",), "family", 6),
        ((), "link_speed", None),
        (("--link-speed", "2.5G"), "link_speed", 2.5e9),
        ((), "ports", None),
        (("--port", "6000-6001"), "ports", (6000, 6001)),
        ((), "allow_load", False),
        (("--allow-load",), "allow_load", True),
        ((), "max_rate", None),
        (("--max-rate", "500M"), "max_rate", 5e8),
        ((), "max_seconds", None),
        (("--max-seconds", "5"), "max_seconds", 5),
        ((), "udp", None),
        (("--udp", "900M"), "udp", 9e8),
        ((), "output", None),
        (("-o", "run.fullrate"), "output", Path("run.fullrate")),
        ((), "redact", False),
        (("-o", "run.fullrate", "--redact"), "redact", True),
    ],
)
def test_options(fullrate: Command, workflow: Workflow, words: tuple[str, ...], name: str, expected: object) -> None:
    """Each option reaches the library in its own type, and has the default that is promised (None: the target's)."""
    fullrate("check", "nas", *words)
    assert expected == workflow.given[name]


def test_nobody_is_asked_in_a_script(fullrate: Command, workflow: Workflow) -> None:
    """Without a terminal a loaded link is left alone."""
    fullrate("check", "nas")
    assert False is workflow.given["confirm"]("send all the same?")


def test_no_target(fullrate: Command, monkeypatch: pytest.MonkeyPatch, not_full: Run) -> None:
    """Without a target nothing is sent: the links of the near end are looked at."""
    given: dict[str, object] = {}

    def look(near: str | None, **more: object) -> Run:
        given.update(more, near=near)
        return not_full

    monkeypatch.setattr("fullrate.workflow.look", look)
    assert 1 == fullrate("check", "--from", "root@nas", "--interface", "eth1")
    assert ("root@nas", "eth1", None, False) == tuple(given[name] for name in ("near", "interface", "output", "redact"))


@pytest.mark.parametrize(
    ("make", "expected"),
    [
        (Interrupted, (130, "stopped")),
        (lambda run: NotWritten(BundleError("cannot write x"), run), (3, "cannot write")),
    ],
)
def test_an_answer_all_the_same(
    fullrate: Command,
    workflow: Workflow,
    capsys: pytest.CaptureFixture[str],
    make: Callable[[Run], Exception],
    expected: tuple[int, str],
) -> None:
    """A run that was stopped, or could not be written, is printed; the sentence goes to stderr."""
    workflow.answer = make(workflow.answer)  # type: ignore[arg-type]
    code = fullrate("check", "nas")
    printed = capsys.readouterr()
    assert (expected[0], True, True) == (code, "NOT FULL" in printed.out, expected[1] in printed.err)


def test_verbose_progress_is_on_stderr(
    fullrate: Command, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], full: Run
) -> None:
    """--verbose tells what is done, and stdout stays one document."""

    def check(_: str, **given: Any) -> Run:  # noqa: ANN401 - the library's options
        given["progress"].phase("measuring to nas", 12.0)
        return full

    monkeypatch.setattr("fullrate.workflow.check", check)
    fullrate("check", "nas", "--verbose", "--json")
    printed = capsys.readouterr()
    assert (full.id, "measuring to nas (about 12 s)\n") == (json.loads(printed.out)["id"], printed.err)


def test_events(fullrate: Command, workflow: Workflow, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The file is there, empty until something happens, and what is printed is the answer alone."""
    path = tmp_path / "events"
    assert 1 == fullrate("check", "nas", "--json", "--events", str(path))
    assert (b"", Views) == (path.read_bytes(), type(workflow.given["progress"]))
    assert "fullrate/run/1" == json.loads(capsys.readouterr().out)["schema"]


def test_events_that_cannot_be_written(fullrate: Command, workflow: Workflow, tmp_path: Path) -> None:
    """Is a wrong command line: nothing was sent."""
    assert 2 == fullrate("check", "nas", "--events", str(tmp_path))
    assert [] == workflow.targets
