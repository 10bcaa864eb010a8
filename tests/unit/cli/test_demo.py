"""The demo tells its story, succeeds only when the fault is named and mended, and always takes its lab down."""

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
from fullrate.records.change import Change, ChangedSetting, ChangeState, Outcome
from fullrate.records.errors import TargetError
from fullrate.records.plan import HostPlan, Item, Plan, Step
from fullrate.records.run import Run
from fullrate.records.setting import Disruption, Setting
from fullrate.records.unfinished import Interrupted
from lab_lock import held

Command = Callable[..., int]
MENDED = ["plan", "apply P 120", "check lab:", "revert P"]
ITEM = Item(
    knob="link.qdisc", subject="wire0", link="wire0", request=("read", "/x"), pattern="", found="tbf", inverses=()
)
STEP = Step(
    setting=Setting(knob="link.qdisc", subject="wire0", value="default"),
    current="tbf",
    command="tc qdisc del dev wire0 root",
    undo="tc qdisc replace dev wire0 root tbf",
    disruption=Disruption.QUEUES,
    because="tc-shaper",
    reference="tc(8)",
    item=ITEM,
)
MOVED = ChangedSetting(knob="link.mtu", subject="wire0", found="1500", now="1400", outcome=Outcome.DONE)


class Stage:
    """The lab, the check and the change as the demo sees them; `answers` are what the checks give, one by one."""

    def __init__(self, answers: list[Run | BaseException]) -> None:
        """Nothing has happened yet."""
        self.calls: list[str] = []
        self.steps: tuple[Step, ...] = (STEP,)
        self.reverted = ChangeState.REVERTED
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

    def plan(self, run: Run) -> Plan:
        """Plan."""
        self.calls.append("plan")
        host = HostPlan(id="P", target="lab:a", steps=self.steps)
        return Plan(id="P", made_at="", tool_version="", hosts=(host,), run=run.id)

    def apply(self, plan: Plan, *, deadline: float) -> tuple[Change, ...]:
        """Make the change."""
        self.calls.append(f"apply {plan.id} {deadline:g}")
        return (Change(id="P", state=ChangeState.WAITING, label="lab:a", items=(MOVED,)),)

    def revert(self, name: str) -> tuple[Change, ...]:
        """Put it back."""
        self.calls.append(f"revert {name}")
        return (Change(id="P", state=self.reverted, label="lab:a", items=(MOVED,)),)


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
        for verb in ("plan", "apply", "revert"):
            monkeypatch.setattr(f"fullrate.changing.{verb}", getattr(stage, verb))
        return stage

    return prepare


def test_story(fullrate: Command, play: Callable[..., Stage], full: Run, found: Run) -> None:
    """Up, check, break, check, mend, check, put back, heal, down; exit 0 because all of it went as it should."""
    stage = play(full, found, full)
    expected = ["up", "check lab:", "break tc-shaper", "check lab:", *MENDED, "heal", "down"]
    assert (0, expected) == (fullrate("demo"), stage.calls)


def test_what_is_told(
    fullrate: Command, play: Callable[..., Stage], capsys: pytest.CaptureFixture[str], full: Run, found: Run
) -> None:
    """The reports are shown, then the change with its undo, what came of it, and that it was put back."""
    play(full, found, full)
    fullrate("demo")
    text = capsys.readouterr().out
    parts = (
        *("FULL  ", "lab break", "NOT FULL", "Found.", "$ fullrate plan", "undo     tc qdisc replace"),
        *(
            "$ fullrate apply P",
            "waiting to be kept",
            "It helped.",
            "$ fullrate revert P",
            "as it was found",
            "lab down",
        ),
    )
    places = [text.find(part) for part in parts]
    assert -1 not in places
    assert sorted(places) == places


def test_json(
    fullrate: Command, play: Callable[..., Stage], capsys: pytest.CaptureFixture[str], full: Run, found: Run
) -> None:
    """--json prints the broken run's document and no story."""
    play(full, found, full)
    code = fullrate("demo", "--json")
    assert (0, demo.FAULT) == (code, json.loads(capsys.readouterr().out)["verdict"]["cause"])


def test_a_change_that_does_not_help(
    fullrate: Command, play: Callable[..., Stage], capsys: pytest.CaptureFixture[str], full: Run, found: Run
) -> None:
    """It is put back all the same, and the demo has failed."""
    stage = play(full, found, found)
    code = fullrate("demo")
    assert (1, ["revert P", "heal", "down"]) == (code, stage.calls[-3:])
    assert "It did not help" in capsys.readouterr().out


def test_nothing_to_change(fullrate: Command, play: Callable[..., Stage], full: Run, found: Run) -> None:
    """A plan without a step is a failed demo, and nothing is applied."""
    stage = play(full, found)
    stage.steps = ()
    assert (1, ["plan", "heal", "down"]) == (fullrate("demo"), stage.calls[-3:])


def test_a_change_that_is_not_put_back(fullrate: Command, play: Callable[..., Stage], full: Run, found: Run) -> None:
    """What was found must be there again."""
    stage = play(full, found, full)
    stage.reverted = ChangeState.FAILED
    assert 1 == fullrate("demo")


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
