"""`fullrate lab ... --guest` hands on to the hardware lab and tells what to do next."""

import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

import pytest

from fullrate.host.protocol import Host
from fullrate.lab import Exam, Ground, Task
from fullrate.lab.guest import GuestState, guest_faults, wires
from fullrate.lab.state import Phase
from fullrate.records.score import Outcome, Row, Score, score_of
from fullrate.records.units import MEGABIT

Command = Callable[..., int]


def _state(*faults: str, link: str = "") -> GuestState:
    return GuestState(
        phase=Phase.BROKEN if faults else Phase.READY,
        generation="debian13",
        wires=wires(("igb", "e1000")),
        token="0" * 32,
        speed=100 * MEGABIT,
        faults=faults,
        link=link,
    )


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What the hardware lab was told to do; nothing is done."""
    kept: list[str] = []

    def up(_: Host, generation: str, models: tuple[str, ...]) -> GuestState:
        kept.append(f"up {generation} {','.join(models)}")
        return _state()

    def break_(_: Host, *faults: str) -> GuestState:
        kept.append(f"break {' '.join(faults)}")
        return _state(*faults, link="e1000")

    def heal(_: Host) -> GuestState:
        kept.append("heal")
        return _state()

    for verb, function in (("up", up), ("break_guest", break_), ("heal_guest", heal)):
        monkeypatch.setattr(f"fullrate.lab.guest.{verb}", function)
    return kept


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (
            ("up", "--guest", "--nic", "igb,e1000"),
            (
                ["up debian13 igb,e1000"],
                "the guest is up (debian13), its wires at 100 Mbit/s: fullrate check guest:igb, guest:e1000\n",
            ),
        ),
        (
            ("break", "--guest", "rx-ring-too-small"),
            (
                ["break rx-ring-too-small"],
                "the guest now has the fault rx-ring-too-small; `fullrate check guest:` tests its wire e1000\n",
            ),
        ),
        (("heal", "--guest"), (["heal"], "the guest is whole; `fullrate check guest:` tests its wire igb\n")),
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
    ("words", "expected"), [(("up",), "ready"), (("break", "x"), "broken"), (("heal",), "ready")], ids=str
)
def test_json(
    fullrate: Command, calls: list[str], capsys: pytest.CaptureFixture[str], words: tuple[str, ...], expected: str
) -> None:
    """The guest's state as a document."""
    fullrate("lab", *words, "--guest", "--json")
    assert (1, expected) == (len(calls), json.loads(capsys.readouterr().out)["phase"])


def test_faults(fullrate: Command, capsys: pytest.CaptureFixture[str]) -> None:
    """The list names each fault and what it does."""
    code = fullrate("lab", "faults", "--guest")
    assert (0, True) == (code, "rx-ring-too-small           the receive ring of far's" in capsys.readouterr().out)


@pytest.mark.parametrize(
    "words",
    [("up", "--nic", "igb"), ("score", "--generation", "debian12"), ("score", "--guest", "--pairs")],
    ids=" ".join,
)
def test_options_that_do_not_go_together(fullrate: Command, words: tuple[str, ...]) -> None:
    """A wrong command line."""
    expected = 2
    try:
        code = fullrate("lab", *words)
    except SystemExit as left:
        code = left.code if isinstance(left.code, int) else -1
    assert expected == code


class _Scoring:
    """What the scoring was asked; every answer is right."""

    def __init__(self) -> None:
        """Nothing so far."""
        self.asked: tuple[str, tuple[str, ...], int, int] | None = None

    def __call__(self, exam: Exam, tasks: Iterable[Task], *, runs: int, healthy: int) -> Score:
        """Keep it."""
        self.asked = (exam.ground.target, tuple(task.name for task in tasks), runs, healthy)
        row = Row(fault="tc-shaper", kind="effect", expected="x", got="x", outcome=Outcome.RIGHT, seconds=1.0)
        return score_of((row,))


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ((), ("guest:", tuple(fault.id for fault in guest_faults() if fault.core), 3, 10)),
        (("--faults", "all", "--runs", "1"), ("guest:", tuple(fault.id for fault in guest_faults()), 1, 0)),
        (("--faults", "tc-shaper", "--healthy", "5"), ("guest:", ("tc-shaper",), 3, 5)),
    ],
    ids=["core", "all", "one"],
)
def test_score(
    fullrate: Command, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], expected: tuple[object, ...]
) -> None:
    """The same scoring, on the guest's own faults."""
    scoring, generations = _Scoring(), list[str]()

    @contextmanager
    def practising(_: Host, generation: str) -> Iterator[Ground]:
        generations.append(generation)
        yield Ground(target="guest:", healthy=(), rate=lambda *_, **__: 0.0, put_in=lambda *_: None, heal=lambda: None)

    monkeypatch.setattr("fullrate.lab.guest.practising_in_guest", practising)
    monkeypatch.setattr("fullrate.lab.score", scoring)
    code = fullrate("lab", "score", "--guest", *words)
    assert (0, ["debian13"], expected) == (code, generations, scoring.asked)
