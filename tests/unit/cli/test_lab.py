"""`fullrate lab` hands on to the lab and tells what to do next."""

import json
from collections.abc import Callable

import pytest

from fullrate.host.protocol import Host
from fullrate.lab import LabState
from fullrate.lab.state import Phase
from fullrate.records.errors import UsageError

Command = Callable[..., int]


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What the lab was told to do; nothing is done."""
    kept: list[str] = []

    def up(_: Host) -> LabState:
        kept.append("up")
        return LabState(phase=Phase.READY)

    def break_(_: Host, fault: str) -> LabState:
        kept.append(f"break {fault}")
        return LabState(phase=Phase.BROKEN, fault=fault, link="cpu")

    def heal(_: Host) -> LabState:
        kept.append("heal")
        return LabState(phase=Phase.READY)

    def down(_: Host) -> None:
        kept.append("down")

    for verb, function in (("up", up), ("break_", break_), ("heal", heal), ("down", down)):
        monkeypatch.setattr(f"fullrate.lab.{verb}", function)
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


def test_the_lab_s_own_refusal(
    fullrate: Command, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What the lab refuses is one sentence and exit 2."""

    def heal(_: Host) -> LabState:
        raise UsageError("there is no lab")

    monkeypatch.setattr("fullrate.lab.heal", heal)
    assert (2, "fullrate: there is no lab\n") == (fullrate("lab", "heal"), capsys.readouterr().err)


def test_without_a_verb(fullrate: Command) -> None:
    """`fullrate lab` alone shows its help and is a wrong command line."""
    with pytest.raises(SystemExit) as left:
        fullrate("lab")
    expected = 2
    assert expected == left.value.code
