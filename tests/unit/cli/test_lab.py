"""`fullrate lab` hands on to the lab and tells what to do next."""

import json
from collections.abc import Callable, Iterable
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path

import pytest

from fullrate.host.protocol import Host
from fullrate.lab import PAIRS, Exam, LabState, Task, faults
from fullrate.lab.fault import Kind
from fullrate.lab.state import Phase
from fullrate.lab.topology import LINKS
from fullrate.records.errors import UsageError
from fullrate.records.run import Run
from fullrate.records.score import Outcome, Row, Score, score_of
from fullrate.records.unfinished import Interrupted
from lab_lock import held

Command = Callable[..., int]


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What the lab was told to do; nothing is done."""
    kept: list[str] = []

    def up(_: Host) -> LabState:
        kept.append("up")
        return LabState(phase=Phase.READY)

    def break_(_: Host, *faults: str) -> LabState:
        kept.append(f"break {' '.join(faults)}")
        return LabState(phase=Phase.BROKEN, faults=faults, link="cpu")

    def heal(_: Host) -> LabState:
        kept.append("heal")
        return LabState(phase=Phase.READY)

    def down(_: Host) -> None:
        kept.append("down")

    for verb, function in (("up", up), ("break_", break_), ("heal", heal), ("down", down)):
        monkeypatch.setattr(f"fullrate.lab.{verb}", function)
    monkeypatch.setattr("fullrate.lab.guest.down", lambda _: None)
    return kept


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("up",), (["up"], "the lab is up; `fullrate check lab:` tests its link wire\n")),
        (
            ("break", "offload-off"),
            (
                ["break offload-off"],
                "the lab now has the fault offload-off; `fullrate check lab:` tests its link cpu\n",
            ),
        ),
        (
            ("break", "offload-off", "cpu-quota"),
            (
                ["break offload-off cpu-quota"],
                "the lab now has the fault offload-off and cpu-quota; `fullrate check lab:` tests its link cpu\n",
            ),
        ),
        (
            ("break", "udp-path-loss"),
            (
                ["break udp-path-loss"],
                "the lab now has the fault udp-path-loss; `fullrate check lab: --udp 300M` tests its link cpu\n",
            ),
        ),
        (("heal",), (["heal"], "the lab is whole; `fullrate check lab:` tests its link wire\n")),
        (("down",), (["down"], "the lab is gone\n")),
    ],
)
def test_verbs(
    fullrate: Command,
    calls: list[str],
    capsys: pytest.CaptureFixture[str],
    words: tuple[str, ...],
    expected: tuple[list[str], str],
) -> None:
    """Each verb does its one thing and says what comes next."""
    assert (0, *expected) == (fullrate("lab", *words), calls, capsys.readouterr().out)


@pytest.mark.parametrize(
    ("words", "expected"),
    [(("up",), "ready"), (("break", "x"), "broken"), (("heal",), "ready"), (("down",), "removed")],
)
def test_json(
    fullrate: Command,
    calls: list[str],
    capsys: pytest.CaptureFixture[str],
    words: tuple[str, ...],
    expected: str,
) -> None:
    """The lab's state as a document."""
    fullrate("lab", *words, "--json")
    assert (1, expected) == (len(calls), json.loads(capsys.readouterr().out)["phase"])


def test_faults(fullrate: Command, capsys: pytest.CaptureFixture[str]) -> None:
    """The list names each fault and what it does."""
    code = fullrate("lab", "faults")
    assert (0, True) == (code, "tc-shaper                   near's egress" in capsys.readouterr().out)


def test_faults_json(fullrate: Command, capsys: pytest.CaptureFixture[str]) -> None:
    """The list as a document holds the cause that must be found."""
    fullrate("lab", "faults", "--json")
    causes = [fault["cause"] for fault in json.loads(capsys.readouterr().out)]
    assert "netfilter-drop" in causes


@dataclass(slots=True, kw_only=True)
class Scoring:
    """What the scoring was asked; every answer is `outcome`."""

    outcome: Outcome = Outcome.RIGHT
    checks: bool = False  # whether a check is made
    tasks: tuple[str, ...] = ()
    runs: int = 0
    healthy: int = 0

    def __call__(self, exam: Exam, tasks: Iterable[Task], *, runs: int, healthy: int) -> Score:
        """Keep it."""
        self.tasks, self.runs, self.healthy = tuple(task.name for task in tasks), runs, healthy
        exam.progress.say("halfway")
        if self.checks:
            exam.check("lab:", None)
        row = Row(fault="tc-shaper", kind="effect", expected="x", got="x", outcome=self.outcome, seconds=1.0)
        return score_of((row,))


@pytest.fixture
def scoring(monkeypatch: pytest.MonkeyPatch) -> Scoring:
    """No lab is made, nothing is checked."""
    kept = Scoring()
    monkeypatch.setattr("fullrate.lab.practising", lambda _: nullcontext())
    monkeypatch.setattr("fullrate.lab.score", kept)
    return kept


def test_score_takes_the_core(fullrate: Command, scoring: Scoring) -> None:
    """Unless told otherwise the core faults are scored three times, the healthy lab ten times."""
    fullrate("lab", "score")
    core = [fault.id for fault in faults() if fault.core]
    assert (core, 3, 10) == (list(scoring.tasks), scoring.runs, scoring.healthy)


def test_core_has_eighteen_faults_with_an_effect_on_both_links() -> None:
    """So many that a recall says something."""
    core = [fault for fault in faults() if fault.core]
    assert 18 <= sum(fault.kind is Kind.EFFECT for fault in core)
    assert {link.name for link in LINKS} == {fault.link for fault in core}
    assert Kind.CONFIGURATION in {fault.kind for fault in core}


def test_score_takes_all(fullrate: Command, scoring: Scoring) -> None:
    """Every fault, without healthy runs beside."""
    fullrate("lab", "score", "--faults", "all", "--runs", "1")
    assert ([fault.id for fault in faults()], 1, 0) == (list(scoring.tasks), scoring.runs, scoring.healthy)


def test_pairs_are_scored_once(fullrate: Command, scoring: Scoring) -> None:
    """Unless told otherwise."""
    fullrate("lab", "score", "--pairs")
    assert (len(PAIRS), 1, 0) == (len(scoring.tasks), scoring.runs, scoring.healthy)


def test_score_takes_a_list(fullrate: Command, scoring: Scoring) -> None:
    """Faults by name, so often, and so many healthy runs."""
    fullrate("lab", "score", "--faults", "tc-shaper,path-loss", "--runs", "3", "--healthy", "0")
    assert (("tc-shaper", "path-loss"), 3, 0) == (scoring.tasks, scoring.runs, scoring.healthy)


@pytest.mark.parametrize(
    ("words", "expected"), [((), len(PAIRS)), (("--faults", "mtu-blackhole"), 2), (("--faults", "port-blocked-far"), 0)]
)
def test_score_takes_pairs(fullrate: Command, scoring: Scoring, words: tuple[str, ...], expected: int) -> None:
    """All pairs, or those that hold a fault of the list."""
    fullrate("lab", "score", "--pairs", *words)
    assert expected == len(scoring.tasks)


@pytest.mark.parametrize(("outcome", "code"), [(Outcome.RIGHT, 0), (Outcome.WRONG, 1), (Outcome.NOT_EFFECTIVE, 1)])
def test_score_exits(fullrate: Command, scoring: Scoring, outcome: Outcome, code: int) -> None:
    """0 only when every answer was right."""
    scoring.outcome = outcome
    assert code == fullrate("lab", "score")


@pytest.mark.usefixtures("scoring")
def test_score_prints(fullrate: Command, capsys: pytest.CaptureFixture[str]) -> None:
    """The table goes to stdout, progress to stderr."""
    fullrate("lab", "score")
    out, err = capsys.readouterr()
    assert (True, "halfway\n") == (out.startswith("faults named: 1 of 1"), err)


@pytest.mark.usefixtures("scoring")
def test_score_json(fullrate: Command, capsys: pytest.CaptureFixture[str]) -> None:
    """One document on stdout."""
    fullrate("lab", "score", "--json")
    document = json.loads(capsys.readouterr().out)
    assert (1, 1.0, "right") == (document["effective"], document["recall"], document["rows"][0]["outcome"])


def test_score_ends_with_ctrl_c(
    fullrate: Command, scoring: Scoring, monkeypatch: pytest.MonkeyPatch, not_full: Run
) -> None:
    """A check that the user stopped is no answer: the whole scoring ends."""

    def check(_: str, **_options: object) -> Run:
        raise Interrupted(not_full)

    monkeypatch.setattr("fullrate.workflow.check", check)
    scoring.checks = True
    expected = 130
    assert expected == fullrate("lab", "score")


@pytest.mark.usefixtures("scoring")
def test_score_of_an_unknown_fault(fullrate: Command, capsys: pytest.CaptureFixture[str]) -> None:
    """A wrong name is a wrong command line."""
    code = fullrate("lab", "score", "--faults", "rust")
    assert (2, True) == (code, "no fault 'rust'" in capsys.readouterr().err)


def test_the_lab_s_own_refusal(
    fullrate: Command, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What the lab refuses is one sentence and exit 2."""

    def heal(_: Host) -> LabState:
        raise UsageError("there is no lab")

    monkeypatch.setattr("fullrate.lab.heal", heal)
    assert (2, "fullrate: there is no lab\n") == (fullrate("lab", "heal"), capsys.readouterr().err)


@pytest.mark.parametrize("words", [("up",), ("break", "x"), ("heal",), ("down",), ("score",)], ids=" ".join)
def test_one_command_at_a_time(
    fullrate: Command, calls: list[str], lab_lock: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...]
) -> None:
    """While another is at work nothing is done, and one sentence names it."""
    with held(lab_lock, "1 demo"):
        code = fullrate("lab", *words)
    said = capsys.readouterr().err
    assert (4, [], "fullrate: `fullrate demo` (process 1) is at work") == (
        code,
        calls,
        said.partition(" in the lab")[0],
    )


def test_without_a_verb(fullrate: Command) -> None:
    """`fullrate lab` alone shows its help and is a wrong command line."""
    with pytest.raises(SystemExit) as left:
        fullrate("lab")
    expected = 2
    assert expected == left.value.code
