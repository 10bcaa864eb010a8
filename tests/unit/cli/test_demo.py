"""The demo tells its story, succeeds only when the fault is named, and always takes its lab down."""

import json
import os
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from fullrate.cli import demo
from fullrate.host.protocol import Host
from fullrate.lab import LabState
from fullrate.lab.state import Phase
from fullrate.records.errors import TargetError
from fullrate.records.run import Run
from fullrate.records.unfinished import Interrupted
from lab_lock import held

Command = Callable[..., int]


class Stage:
    """The lab and the check as the demo sees them; `answers` are what the checks give, one after the other."""

    def __init__(self, answers: list[Run | BaseException]) -> None:
        """Nothing has happened yet."""
        self.calls: list[str] = []
        self.answers: Iterator[Run | BaseException] = iter(answers)
        self.state: LabState | None = None

    def up(self, _: Host) -> LabState:
        """Make the lab."""
        self.calls.append("up")
        return LabState(phase=Phase.READY)

    def break_(self, _: Host, fault: str) -> LabState:
        """Break it."""
        self.calls.append(f"break {fault}")
        return LabState(phase=Phase.BROKEN)

    def heal(self, _: Host) -> LabState:
        """Heal it."""
        self.calls.append("heal")
        return LabState(phase=Phase.READY)

    def down(self, _: Host) -> None:
        """Take it away."""
        self.calls.append("down")

    def check(self, target: str, **_: object) -> Run:
        """Give the next answer."""
        self.calls.append(f"check {target}")
        answer = next(self.answers)
        if isinstance(answer, BaseException):
            raise answer
        return answer


@pytest.fixture
def found(not_full: Run) -> Run:
    """The run in which the demo's fault is named first."""
    first = replace(not_full.findings[1], check=demo.FAULT, cause=demo.FAULT)
    return replace(
        not_full, verdict=replace(not_full.verdict, cause=demo.FAULT), findings=(first, *not_full.findings[2:])
    )


@pytest.fixture
def play(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Stage]:
    """Sets the stage: a root user, a lab that does nothing, and checks with these answers."""

    def prepare(*answers: Run | BaseException) -> Stage:
        stage = Stage(list(answers))
        monkeypatch.setattr(os, "geteuid", lambda: 0)
        monkeypatch.setattr("fullrate.lab.load_state", lambda _: stage.state)
        monkeypatch.setattr("fullrate.workflow.check", stage.check)
        for verb in ("up", "break_", "heal", "down"):
            monkeypatch.setattr(f"fullrate.lab.{verb}", getattr(stage, verb))
        return stage

    return prepare


def test_story(fullrate: Command, play: Callable[..., Stage], full: Run, found: Run) -> None:
    """Up, check, break, check, heal, down; exit 0 because the fault was named first."""
    stage = play(full, found)
    expected = ["up", "check lab:", "break netfilter-drop", "check lab:", "heal", "down"]
    assert (0, expected) == (fullrate("demo"), stage.calls)


def test_what_is_told(
    fullrate: Command, play: Callable[..., Stage], capsys: pytest.CaptureFixture[str], full: Run, found: Run
) -> None:
    """Both reports are shown, then the commands that would mend it."""
    play(full, found)
    fullrate("demo")
    text = capsys.readouterr().out
    places = [
        text.find(part) for part in ("FULL  ", "lab break", "NOT FULL", "would mend it:\n  ethtool -K", "lab down")
    ]
    assert -1 not in places
    assert sorted(places) == places


def test_json(
    fullrate: Command, play: Callable[..., Stage], capsys: pytest.CaptureFixture[str], full: Run, found: Run
) -> None:
    """--json prints the broken run's document and no story."""
    play(full, found)
    code = fullrate("demo", "--json")
    assert (0, demo.FAULT) == (code, json.loads(capsys.readouterr().out)["verdict"]["cause"])


def test_fault_not_found(
    fullrate: Command, play: Callable[..., Stage], capsys: pytest.CaptureFixture[str], full: Run, not_full: Run
) -> None:
    """Another cause named first is a failed demo, and is said."""
    stage = play(full, not_full)
    code = fullrate("demo")
    assert (1, "down", True) == (code, stage.calls[-1], "but irq-single-cpu was named" in capsys.readouterr().out)


@pytest.mark.parametrize(
    ("error", "code"), [(TargetError("lost"), 3), (KeyboardInterrupt(), 130), (RuntimeError("bug"), 5)]
)
def test_the_lab_is_always_taken_down(
    fullrate: Command, play: Callable[..., Stage], full: Run, error: BaseException, code: int
) -> None:
    """A failure or Ctrl-C in the broken lab leaves nothing behind."""
    stage = play(full, error)
    assert (code, "down") == (fullrate("demo"), stage.calls[-1])


def test_a_stopped_check(fullrate: Command, play: Callable[..., Stage], full: Run) -> None:
    """Ctrl-C that the library has handled is still exit 130."""
    stage = play(Interrupted(full))
    assert (130, ["up", "check lab:", "down"]) == (fullrate("demo"), stage.calls)


def test_a_lab_that_is_there_is_left_alone(
    fullrate: Command, play: Callable[..., Stage], capsys: pytest.CaptureFixture[str]
) -> None:
    """Someone's own lab is neither used nor removed."""
    stage = play()
    stage.state = LabState(phase=Phase.READY)
    code = fullrate("demo")
    assert (2, [], True) == (code, stage.calls, "there is a lab already" in capsys.readouterr().err)


@pytest.mark.parametrize("recorded", [True, False])
def test_without_root(
    fullrate: Command,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    recorded: bool,  # noqa: FBT001 - a parameter
) -> None:
    """The recorded run is offered, when it was shipped."""
    path = tmp_path / "demo.fullrate"
    if recorded:
        path.touch()
    monkeypatch.setattr(demo, "SHIPPED", path)
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    code = fullrate("demo")
    assert (2, recorded) == (code, f"fullrate diagnose {path}" in capsys.readouterr().err)


@pytest.mark.parametrize(
    ("cause", "first", "expected"), [(True, True, True), (True, False, False), (False, True, False)]
)
def test_named_first(found: Run, not_full: Run, cause: bool, first: bool, expected: bool) -> None:  # noqa: FBT001 - parameters
    """The verdict and the first finding must both name the fault."""
    run = replace(
        found,
        verdict=found.verdict if cause else not_full.verdict,
        findings=found.findings if first else not_full.findings,
    )
    assert expected is demo.named_first(run, demo.FAULT)


def test_another_command_at_work(play: Callable[..., Stage], fullrate: Command, lab_lock: Path) -> None:
    """The demo waits for nobody and touches nothing."""
    stage = play()
    with held(lab_lock, "1 lab score"):
        code = fullrate("demo")
    assert (4, []) == (code, stage.calls)


def test_nothing_to_type(found: Run) -> None:
    """A finding without a remedy promises none."""
    bare = replace(found, findings=(replace(found.findings[0], remedies=()),))
    assert "Found. No command of this version mends it." == demo.verdict(bare, demo.FAULT)
